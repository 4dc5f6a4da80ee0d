// Returns a person's name in the forms that lists, mails and prints use, and sorts people by name.
import { compareTexts } from './compare-texts.ts';

interface Person {
  readonly firstName: string | null;
  readonly lastName: string | null;
}
interface Reachable extends Person {
  /** The e-mail address. It is null for a customer without an e-mail address, who always has a name. */
  readonly email: string | null;
}

/** Returns the name in the form of lists, such as 'Abramov, Rivka', or '' for a person without a name. */
export const sortName = (firstName: string | null, lastName: string | null): string =>
  [lastName, firstName].filter((part) => part !== null && part !== '').join(', ');

/** Returns the text in which a table searches for a person. It contains the phone number a second time, with digits only. */
export const searchTextOf = ({ firstName, lastName, email, phone }: Reachable & { readonly phone: string | null }): string =>
  [sortName(firstName, lastName), email, phone, phone?.replaceAll(/\D/g, '')].join(' ');

/** Returns the name in the form of lists, or the e-mail address of a person without a name. */
export const sortNameOrEmail = ({ firstName, lastName, email }: Reachable): string => sortName(firstName, lastName) || (email ?? '');

/** Sorts people by name. People without a name come last, sorted by e-mail address. */
export function sortedByName<Row>(rows: readonly Row[], personOf: (row: Row) => Reachable): Row[] {
  const named = rows.map((row) => {
    const { firstName, lastName, email } = personOf(row);
    return { row, name: sortName(firstName, lastName), email: email ?? '' };
  });
  named.sort((a, b) => Number(a.name === '') - Number(b.name === '') || compareTexts(a.name, b.name) || compareTexts(a.email, b.email));
  return named.map(({ row }) => row);
}

/** Returns the first and last name, for example 'Rivka Abramov', or '' for a person without a name. */
export const personName = ({ firstName, lastName }: Person): string => [firstName, lastName].filter(Boolean).join(' ');

/** Returns the name as mails and headings show it, or the e-mail address of a person without a name. */
export const displayName = (person: Reachable): string => personName(person) || (person.email ?? '');

/**
 * Returns the text that a list sorted by e-mail address shows for a person: the e-mail address, or the name if there is no e-mail address.
 */
export const emailOrName = (person: Reachable): string => person.email ?? sortNameOrEmail(person);
