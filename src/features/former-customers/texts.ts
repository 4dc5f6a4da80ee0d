// The UI texts and error messages for erasing a customer's personal data.
import { longDate } from '../../shared/dates.ts';

const LIST = new Intl.ListFormat('en-US');

/** The name shown in place of the customer's name in every list, print and file. */
export const formerCustomerName = (userId: number): string => `Former customer ${userId}`;

export const FORGET = 'Forget';
export const forgetQuestion = (name: string): string => `Forget ${name} for good?`;
export const FORGET_MEANS =
  'Name, address, phone, e-mail address, password, notes and all mails are deleted, here and in the changes. Orders, weights and payments stay without a name. This cannot be undone.';
export const NOT_NOW = 'This customer cannot be forgotten yet.';
export const backupsText = (inBackupsUntil: string | null): string =>
  inBackupsUntil === null
    ? 'Backups that were made before keep the data. Ask who runs this installation until when they are kept.'
    : `Backups that were made before keep the data until ${longDate(inBackupsUntil.slice(0, 10))}; copies elsewhere as long as they are kept.`;
export const FORGOTTEN = 'Forgotten';
export const forgottenText = (userId: number): string => `What remains is under ${formerCustomerName(userId)}.`;

// The error messages with which the server refuses to erase a customer's personal data.
export const moneyIsDueText = (distributions: readonly string[]): string =>
  `Money is still due on this customer's order in ${LIST.format(distributions)}. Settle it first, then forget the customer.`;
export const stillOpenText = (distributions: readonly string[]): string =>
  `This customer has an order in ${LIST.format(distributions)}, where ordering is still open. Close ordering there first, then forget the customer.`;
export const CHANGED_MEANWHILE =
  "This customer's orders, waiting lists or contact have just been changed, so the customer was not forgotten. Please try again in a moment.";
/** Shown in the e-mail log in place of the mail server's response. */
export const DELETED_MAIL = 'The customer was forgotten, and this e-mail was deleted.';
