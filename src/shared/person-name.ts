// How a person is called in lists, in letters and on paper, and where they stand.
import { compareTexts } from './compare-texts.ts';

interface Person {
  readonly firstName: string | null;
  readonly lastName: string | null;
}
interface Reachable extends Person {
  /** null: a customer without one, who has a name. */
  readonly email: string | null;
}

/** 'Abramov, Rivka' as lists have it; '' for somebody who has not given a name yet. */
export const listedName = (firstName: string | null, lastName: string | null): string =>
  [lastName, firstName].filter((part) => part !== null && part !== '').join(', ');

/** As lists have it, or by e-mail. */
export const listedAs = ({ firstName, lastName, email }: Reachable): string => listedName(firstName, lastName) || (email ?? '');

/** As lists have people: by name, those without one last by their e-mail. */
export function sortedByName<Row>(rows: readonly Row[], personOf: (row: Row) => Reachable): Row[] {
  const named = rows.map((row) => {
    const { firstName, lastName, email } = personOf(row);
    return { row, name: listedName(firstName, lastName), email: email ?? '' };
  });
  named.sort((a, b) => Number(a.name === '') - Number(b.name === '') || compareTexts(a.name, b.name) || compareTexts(a.email, b.email));
  return named.map(({ row }) => row);
}

/** 'Rivka Abramov'; '' for somebody who has not given a name yet. */
export const personName = ({ firstName, lastName }: Person): string => [firstName, lastName].filter(Boolean).join(' ');

/** As letters and headings have it, or by e-mail. */
export const calledName = (person: Reachable): string => personName(person) || (person.email ?? '');

/** Where people are listed by e-mail: the e-mail, or the name of a customer without one. */
export const reachedAs = (person: Reachable): string => person.email ?? listedAs(person);
