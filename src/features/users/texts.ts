// Every literal text of a distributor's people (spec §2, §8).
import { counted } from '../../shared/counted.ts';

export const PEOPLE = {
  customer: {
    title: 'Customers',
    subtitle: 'Manage your customer accounts',
    empty: 'No customers found. Add one to get started.',
    noun: 'customers',
    one: 'customer',
    add: 'Add Customer',
    created: 'Customer created successfully',
    noneCreated: 'No customers new were created',
  },
  agent: {
    title: 'Users',
    subtitle: 'Manage your user accounts',
    empty: 'No users found. Add one to get started.',
    noun: 'users',
    one: 'user',
    add: 'Add User',
    created: 'User created successfully',
    noneCreated: 'No users new were created',
  },
} as const;
export type People = keyof typeof PEOPLE;

/** What came of creating people (spec §8). */
export function createdText(people: People, { created, sent }: { created: number; sent: number }): { title: string; description?: string } {
  const texts = PEOPLE[people];
  if (created === 0) return { title: texts.noneCreated };
  return { title: `Created ${created} out of ${sent} ${texts.noun}`, description: texts.created };
}

/** Why a row of an imported file is dropped (spec §5). */
export const DROPPED = { known: 'a customer already', blank: 'no e-mail address' } as const;

/** What became of every row of an imported file. */
export function rowsText({ created, known, blank, failed }: Record<'created' | 'known' | 'blank' | 'failed', number>): string {
  const fates = [
    { n: created, what: 'created' },
    { n: known, what: `dropped (${DROPPED.known})` },
    { n: blank, what: `dropped (${DROPPED.blank})` },
    { n: failed, what: 'failed' },
  ];
  const told = fates.filter(({ n }) => n > 0).map(({ n, what }) => `${n} ${what}`);
  return `${counted(created + known + blank + failed, 'row')} in the file: ${told.join(', ')}.`;
}

/** 'Abramov, Rivka' as lists have it; '' for somebody who has not given a name yet. */
export const listedName = (firstName: string | null, lastName: string | null): string =>
  [lastName, firstName].filter((part) => part !== null && part !== '').join(', ');

interface Person {
  readonly firstName: string | null;
  readonly lastName: string | null;
}
interface Reachable extends Person {
  readonly email: string;
}

/** As lists have it, or by e-mail. */
export const listedAs = ({ firstName, lastName, email }: Reachable): string => listedName(firstName, lastName) || email;

/** 'Rivka Abramov'; '' for somebody who has not given a name yet. */
export const personName = ({ firstName, lastName }: Person): string => [firstName, lastName].filter(Boolean).join(' ');

/** As letters and headings have it, or by e-mail. */
export const calledName = (person: Reachable): string => personName(person) || person.email;

interface Admitted {
  email: string;
  hasSignedIn: boolean;
  isInvited: boolean;
}

/** Of somebody whose account was enabled or unlocked: who never signed in may have no password yet. */
export function admittedText({ email, hasSignedIn, isInvited }: Admitted): string {
  if (hasSignedIn) return `${email} can sign in again.`;
  if (isInvited) return `${email} has not signed in yet: the link of the invitation leads in, or send a new one.`;
  return `${email} was not invited yet: send the invitation to set a password.`;
}

// What the server says (contract §3).
export const HAS_ACCOUNT = 'This e-mail address already has an account.';
export const ADDRESS_MENDED = 'The address was mended before this e-mail was sent.';
export const INVITED_OFTEN = 'This person was invited three times within the hour. Try again later.';
export const LISTED_TWICE = 'This e-mail address is in the list twice.';
export const HAS_SIGNED_IN = 'This person has signed in already.';
export const IS_DISABLED = 'This account is disabled.';
export const REPLY_TO_SELF = 'Replies can go to your own address only.';
