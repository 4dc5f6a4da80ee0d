// The error messages for an invalid request, field or file (spec §5; contract §2, §4).
import { numberText } from './counted.ts';

/** The error message when a client without a session sends a call that needs one (contract §2). */
export const PLEASE_SIGN_IN = 'Please sign in.';
/** The error message for a save from a screen of another user than the one who is signed in now. */
export const OTHER_USER = 'Somebody else has signed in with this browser. Please reload the page.';
/** The error message for an agent who must first add a second factor and sends any other call (contract §19). */
export const ADD_SECOND_FACTOR = 'Your distributor requires a second factor. Set one up first.';
/** The error message for an agent without the permission to take payments, who records a payment or opens a till. */
export const MAY_NOT_TAKE_PAYMENTS = 'Your distributor does not let you take payments.';
/** The error message when a save would replace what somebody else has saved since the user saw the previous values. */
export const changedMeanwhileText = (name: string): string => `${name} was changed by somebody else meanwhile. Nothing is saved.`;
/** Says in the description of a call when it is refused with this message. */
export const outdatedText = (name: string): string =>
  `A value is neither that of \`before\` nor the new one: \`${changedMeanwhileText(name)}\`.`;
export const notText = (name: string): string => `${name} must be a text`;
export const isRequired = (name: string): string => `${name} is required`;
export const tooLong = (name: string, max: number): string => `${name} is longer than ${max} characters`;
export const unprintable = (name: string): string => `${name} contains characters that cannot be stored`;
export const notCents = (name: string): string => `${name} must be a whole number of cents`;
/** The error message below a field for an amount that contains no valid amount. */
export const NOT_DOLLARS = 'Type an amount in dollars, such as 5.00';
export const tooLarge = (name: string): string => `${name} is too large`;
export const INVALID_EMAIL = 'Invalid email address';
export const PASSWORD_TOO_LONG = 'Password is longer than 200 characters';
export const notPartSize = (most: number): string => `limit must be a whole number between 1 and ${most}`;
export const NO_KEY = 'after must be the key of a row';
export const notAnInstant = (name: string): string => `${name} must be a time such as 2027-04-01T20:00:00Z`;
export const NOT_A_DATE = 'Date must be a calendar date such as 2027-04-15';

export const FILE_TOO_LARGE = 'This file is larger than 5 MB. Split it into smaller files.';
export const TOO_MANY_ROWS = 'This file has more than 20,000 rows. Split it into smaller files.';
export const TOO_MANY_COLUMNS = 'This file has more than 200 columns. Delete the columns that are not needed.';
export const SPREADSHEET = 'This is a spreadsheet, not a CSV file. Save it as CSV and choose that file.';
export const NOT_CSV = 'This is not a CSV file. Choose a file that was saved as CSV.';
export const EMPTY_FILE = 'This file is empty.';
export const badHeader = (fault: string): string => `The header row cannot be read: ${fault}.`;
export const unevenRow = (cells: number, columns: number): string =>
  cells === 1 ? `The row has 1 cell where the header has ${columns}` : `The row has ${cells} cells where the header has ${columns}`;
export const UNCLOSED_QUOTE = 'A quotation mark is not closed, or not doubled inside its cell';
export const ROW_TOO_LONG = 'The row is longer than 32,768 characters';

/** The error messages when a distributor has too many pictures, and when too many pictures or e-mails are being processed at once. */
export const tooManyPictures = (most: number): string =>
  `A distributor has at most ${numberText(most)} pictures. Remove pictures of products that you no longer offer.`;
export const TOO_MANY_PICTURES = 'Many pictures are being saved just now. Try again in a minute.';
export const TOO_MANY_CHECKS = 'Many e-mails are being checked just now. Try again in a few seconds.';
