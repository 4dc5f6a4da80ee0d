// How a person is named in lists, letters and print, and how people are sorted.
import { compareTexts } from './compare-texts.ts';

interface Person {
  readonly firstName: string | null;
  readonly lastName: string | null;
}
interface Reachable extends Person {
  /** Null for a customer without an e-mail address, who always has a name. */
  readonly email: string | null;
}

/** 'Abramov, Rivka', the form used in lists; '' for a person without a name. */
export const listedName = (firstName: string | null, lastName: string | null): string =>
  [lastName, firstName].filter((part) => part !== null && part !== '').join(', ');

/** The form used in lists, or the e-mail address. */
export const listedAs = ({ firstName, lastName, email }: Reachable): string => listedName(firstName, lastName) || (email ?? '');

/** Sorts people by name; people without a name come last, sorted by e-mail address. */
export function sortedByName<Row>(rows: readonly Row[], personOf: (row: Row) => Reachable): Row[] {
  const named = rows.map((row) => {
    const { firstName, lastName, email } = personOf(row);
    return { row, name: listedName(firstName, lastName), email: email ?? '' };
  });
  named.sort((a, b) => Number(a.name === '') - Number(b.name === '') || compareTexts(a.name, b.name) || compareTexts(a.email, b.email));
  return named.map(({ row }) => row);
}

/** 'Rivka Abramov'; '' for a person without a name. */
export const personName = ({ firstName, lastName }: Person): string => [firstName, lastName].filter(Boolean).join(' ');

/** The form used in letters and headings, or the e-mail address. */
export const calledName = (person: Reachable): string => personName(person) || (person.email ?? '');

/** For lists sorted by e-mail address: the address, or the name of a customer without one. */
export const reachedAs = (person: Reachable): string => person.email ?? listedAs(person);
