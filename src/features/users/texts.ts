// This file contains the UI texts of customers and agents (spec §2, §8).
import { counted, numberText } from '../../shared/counted.ts';
import { SIGN_OUT_EVERYWHERE } from '../auth/texts.ts';

export const NO_CUSTOMERS = 'No customers found. Add one to get started.';
/** Returns, for example, '12 of 250 customers'. */
export const customersText = (shown: number, total: number): string =>
  shown === total ? counted(total, 'customer') : `${numberText(shown)} of ${counted(total, 'customer')}`;
/** The label of the fields in which users search for people. */
export const NAME_EMAIL_OR_PHONE = 'Name, e-mail or phone';

export const PEOPLE = {
  customer: {
    title: 'Customers',
    subtitle: 'Manage your customer accounts',
    empty: NO_CUSTOMERS,
    noun: 'customers',
    add: 'Add Customer',
    created: 'Customer created successfully',
    noneCreated: 'No customers new were created',
  },
  agent: {
    title: 'Users',
    subtitle: 'Manage your user accounts',
    empty: 'No users found. Add one to get started.',
    noun: 'users',
    add: 'Add User',
    created: 'User created successfully',
    noneCreated: 'No users new were created',
  },
} as const;
export type People = keyof typeof PEOPLE;

/** Returns the text that reports how many people were created (spec §8). */
export function createdText(people: People, { created, sent }: { created: number; sent: number }): { title: string; description?: string } {
  const texts = PEOPLE[people];
  if (created === 0) return { title: texts.noneCreated };
  const title = people === 'customer' ? `Created ${created} out of ${sent} customers` : `Created ${created} out of ${sent} users`;
  return { title, description: texts.created };
}

// The table of people, its menu and its messages use the following texts.
export const ID = 'ID';
export const EMAIL = 'Email';
export const NAME = 'Name';
export const IS_DISABLED_PILL = 'Disabled';
export const IS_LOCKED_PILL = 'Locked';
export const INVITED_PILL = 'Invited';
export const NOT_INVITED_PILL = 'Not invited';
export const EDIT_CONTACT = 'Edit contact';
export const ADD_EMAIL = 'Add e-mail address';
export const CORRECT_ADDRESS = 'Correct address';
export const TAKES_PAYMENTS_PILL = 'Takes payments';
export const SECOND_FACTOR_PILL = 'Second factor';
export const SECOND_FACTOR_MISSING_PILL = 'Must add second factor';
export const unlockLabel = (email: string): string => `Unlock ${email}`;
export const moreActionsLabel = (email: string): string => `More actions for ${email}`;

interface Person {
  readonly name: string;
  readonly hasSignedIn: boolean;
  readonly isInvited: boolean;
}

/**
 * Returns the text that is shown after an account was enabled or unlocked. It mentions that a person who never signed in may have no
 * password.
 */
export function admittedText({ name, hasSignedIn, isInvited }: Person): string {
  if (hasSignedIn) return `${name} can sign in again.`;
  if (isInvited) return `${name} has not signed in yet: the link of the invitation leads in, or send a new one.`;
  return `${name} was not invited yet: send the invitation to set a password.`;
}
const onItsWayText = ({ name }: Person): string => `It is on the way to ${name}.`;

interface ActionTexts {
  /** The label in the menu, and on the button that confirms the action. */
  readonly label: string;
  /** The title and the text of the toast after the action. */
  readonly done: string;
  readonly result: (person: Person) => string;
}
/** The texts of the actions on a person that change the person's account. */
export const ACTION_TEXTS = {
  unlock: { label: 'Unlock', done: 'Unlocked', result: admittedText },
  enable: { label: 'Enable', done: 'Enabled', result: admittedText },
  disable: { label: 'Disable', done: 'Disabled', result: ({ name }) => `${name} is signed out and cannot sign in.` },
  invite: { label: 'Send invitation', done: 'Invitation sent', result: onItsWayText },
  'invite-again': { label: 'Send invitation again', done: 'Invitation sent again', result: onItsWayText },
  'sign-out': {
    label: SIGN_OUT_EVERYWHERE,
    done: 'Signed out everywhere',
    result: ({ name }) => `${name} has to sign in again on every device.`,
  },
  'allow-payments': {
    label: 'Allow taking payments',
    done: 'Payments allowed',
    result: ({ name }) => `${name} can record payments of every order. Reversing them stays with you.`,
  },
  'forbid-payments': {
    label: 'Stop taking payments',
    done: 'Payments not allowed any more',
    result: ({ name }) => `${name} cannot record payments. What was recorded stays.`,
  },
  'require-second-factor': {
    label: 'Require a second factor',
    done: 'Second factor required',
    result: ({ name }) => `${name} has to set one up before anything else.`,
  },
  'release-second-factor': {
    label: 'No longer require a second factor',
    done: 'Second factor not required any more',
    result: ({ name }) => `${name} may sign in with the password alone. A second factor that is set up stays.`,
  },
  'second-factor-off': {
    label: 'Remove second factor',
    done: 'Second factor removed',
    result: ({ name }) => `${name} signs in with the password alone.`,
  },
} as const satisfies Readonly<Record<string, ActionTexts>>;

/** The questions before those actions that the user must confirm. */
export const ACTION_QUESTIONS = {
  disable: {
    question: (name: string): string => `Disable ${name}?`,
    means: 'They are signed out everywhere at once and cannot sign in until you enable them again. What they ordered stays as it is.',
  },
  'second-factor-off': {
    question: (name: string): string => `Remove the second factor of ${name}?`,
    means:
      'For somebody who has lost phone and recovery codes. They are signed out everywhere and sign in with the password alone. Make sure that the person who asks you is the right one.',
  },
};

// The dialogs for adding a person and correcting an e-mail address use the following texts.
export const ADD_MEANS = 'They get an e-mail with a link to set a password.';
export const FIRST_NAME = 'First Name';
export const LAST_NAME = 'Last Name';
export const HAS_NO_EMAIL_LABEL = 'No e-mail address';
export const OPTIONAL = 'Optional';
export const CORRECT_MEANS = 'A new invitation goes to the new address. What was mailed to the old one stops working.';
export const SAVE_AND_INVITE = 'Save and invite';
export const ADDRESS_CORRECTED = 'Address corrected';
export const EMAIL_ADDED = 'E-mail address added';
export const invitedText = (email: string): string => `An invitation is on the way to ${email}.`;

// The texts of the dialog that corrects a contact.
export const CONTACT_CORRECTED = 'Contact corrected';
export const SAVE_CONTACT = 'Save contact';
export const contactOfText = (customer: string): string => `Edit contact of ${customer}`;

// The Bulk Operations dialog uses the following texts.
export const BULK_OPERATIONS = 'Bulk Operations';
export const STEPS: readonly string[] = ['File', 'Check', 'Import'];
export const NO_ROWS = 'This file has no customers, only a header row.';
export const noEmailColumnText = (columns: readonly string[]): string =>
  `This file has no email column. Its columns are: ${columns.join(', ')}.`;
export const NEEDED_COLUMN = 'Needed column';
export const OPTIONAL_COLUMNS = 'Optional columns';
export const FILE_RULES =
  'Rows of customers you already have are dropped. Rows without an e-mail address are dropped unless you choose otherwise in the next step. Excel and Google Sheets files must be saved as CSV.';
export const DOWNLOAD_CUSTOMERS = 'Download Customers';
export const nothingSavedText = (rows: number): string => `${counted(rows, 'row')} in the file. Nothing is saved yet.`;
export const ROW_OUTCOMES = { add: 'New', known: 'Known', blank: 'No e-mail', problem: 'Problem' } as const;
export const NO_ADDRESS = 'No e-mail address';
export const NOTHING_TO_CREATE = 'nothing to create';
export const NO_NAME_YET = 'no name yet';
export const droppedKnownText = (rows: number): string => `${counted(rows, 'row')} dropped: a customer already.`;
export const droppedBlankText = (rows: number): string => `${counted(rows, 'row')} dropped: no e-mail address.`;
/** Returns the label of the checkbox with which the user also imports customers who have a name but no e-mail address. */
export const withoutEmailLabel = (rows: number): string => `Import ${counted(rows, 'customer')} without an e-mail address as well`;
export const WITHOUT_EMAIL_MEANS = 'They cannot sign in and get no mail: you enter their orders. Their address can be added later.';
export const readAsText = (column: string, field: string): string => `The column ${column} is read as ${field}.`;
export const INVITATION = 'Invitation';
export const INVITE_NOW = 'Invite now';
export const INVITE_LATER = 'Invite later';
export const INVITE_NOW_MEANS = 'Everybody new gets an e-mail with a link to set a password. Replies go to you.';
export const INVITE_LATER_MEANS = 'No e-mail goes out. Send the invitation later, from the menu of a row.';
export const FINISH = 'Finish';
export const importLabel = (customers: number): string => `Import ${counted(customers, 'customer')}`;
/** Only customers with an e-mail address are invited. */
export const importAndInviteLabel = (customers: number, invited: number): string =>
  invited === customers
    ? `Import and invite ${counted(customers, 'customer')}`
    : `${importLabel(customers)} and invite ${numberText(invited)}`;
export const CREATING = 'Creating customers';
export const SHOW_IMPORT = 'Show the import';
export const DONE = 'Done';
export const NOT_CREATED = 'Not created';
export const failedFileText = (rows: number, fileName: string): string => `${counted(rows, 'row')} in ${fileName}, with reasons.`;
export const NO_INVITATION_YET = 'No invitation was mailed yet.';
export function invitationsText(invited: number, created: number): string {
  if (invited === created) return 'Their invitations are on the way.';
  const others = 'the others have no e-mail address or were invited several times before';
  return invited === 0 ? 'None of them is invited now.' : `Invitations to ${invited} of them are on the way; ${others}.`;
}

/** If a row of the file belongs to an existing customer, this text says why the row is not imported (spec §5). */
export const CUSTOMER_ALREADY = 'a customer already';

/** Returns the text that says how many rows of the file will be imported and how many will not. */
export function rowsText({ created, known, blank, failed }: Record<'created' | 'known' | 'blank' | 'failed', number>): string {
  const sentences = [
    created > 0 && `${created} created`,
    known > 0 && `${known} dropped (a customer already)`,
    blank > 0 && `${blank} dropped (no e-mail address)`,
    failed > 0 && `${failed} failed`,
  ].filter((part) => part !== false);
  return `${counted(created + known + blank + failed, 'row')} in the file: ${sentences.join(', ')}.`;
}

// The server replies with the following messages (contract §3).
/** The name of the record in the message when somebody else has changed it meanwhile. */
export const THE_EMAIL = 'The e-mail address';
export const HAS_ACCOUNT = 'This e-mail address already has an account.';
export const SUPERSEDED_BY_CORRECTION = 'The address was corrected before this e-mail was sent.';
export const INVITED_OFTEN = {
  hour: 'This person was invited three times within the hour. Try again later.',
  day: 'This person was invited five times within a day. Try again tomorrow.',
  dayOfAll: 'All distributors together have invited this person ten times within a day. Try again tomorrow.',
  dayOfMailbox:
    'Twenty invitations within a day were sent to this e-mail address and similar ones, which may belong to the same person. Try again tomorrow.',
};
/** The reasons why a created person got no invitation. */
export const NOT_INVITED = {
  hour: 'No invitation was sent: this person was invited three times within the hour. Send it later from the list.',
  day: 'No invitation was sent: this person was invited five times within a day. Send it tomorrow from the list.',
  dayOfAll:
    'No invitation was sent: all distributors together have invited this person ten times within a day. Send it tomorrow from the list.',
  dayOfMailbox:
    'No invitation was sent: twenty invitations within a day were sent to this e-mail address and similar ones, which may belong to the same person. Send it tomorrow from the list.',
};
/** Returns the message that the server sends when an import would exceed the daily limit of mails. In this case nobody was created. */
export const tooManyInvitations = (most: number, written: number): string =>
  `At most ${most} e-mails can be sent in a day, and you have sent ${written} since yesterday. Nobody was created. Import with "Invite later", or try again tomorrow.`;
/**
 * Returns the message that the server sends when a distributor has added too many people. The limit counts customers and agents together,
 * also those of imports.
 */
export const tooManyPeopleInAll = (most: number): string =>
  `A distributor can have at most ${numberText(most)} customers and agents. Nobody was added. Remove unused customers first.`;
export const tooManyPeople = (most: number): string =>
  `At most ${numberText(most)} people can be added in a day, including people who were removed since. Nobody was added.`;
export const LISTED_TWICE = 'This e-mail address is in the list twice.';
export const HAS_SIGNED_IN = 'This person has signed in already.';
export const IS_DISABLED = 'This account is disabled.';
export const HAS_NO_EMAIL = 'This person has no e-mail address yet.';
export const NAME_OR_EMAIL_NEEDED = 'A customer without an e-mail address needs a name.';
export const ONLY_AGENTS_NEED_SECOND_FACTOR = 'A second factor can be required of an agent only.';
export const ONLY_AGENTS_TAKE_PAYMENTS = 'Only an agent can be allowed to take payments.';
export const NOTHING_TO_CHANGE = 'Nothing to change was sent.';
export const CUSTOMER_LISTED_TWICE = 'This customer is in the list twice.';
export const CUSTOMER_EXISTS =
  'A customer without an e-mail address has this name and phone number already. A phone number tells two people apart.';
export const REPLY_TO_SELF = 'Replies can go to your own address only.';
