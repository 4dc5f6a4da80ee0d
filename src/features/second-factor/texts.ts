// This file contains the UI texts of the second factor (contract §19).
export const WRONG_CODE = 'This code is wrong or has been used. Enter the one that your app shows now.';
export const NO_FACTOR = 'No such factor is set up.';
export const HAS_CODE_APP = 'A code app is set up already. Remove it first.';
export const PASSKEY_KNOWN = 'This passkey is set up already.';
export const TOO_MANY_PASSKEYS = 'You have 20 passkeys. Remove one first.';
export const START_AGAIN = 'This took too long. Please start again.';
export const NOT_ACCEPTED = 'This passkey could not be added. Please start again.';
export const IS_REQUIRED = 'Your distributor requires a second factor. Add another one before you remove this one.';

export const SIGN_IN_AGAIN =
  'Your last sign-in was more than ten minutes ago. Sign out and sign in again with your second factor, then change it.';

// The account dialog shows the following texts in its section about the second factor.
export const SECOND_FACTOR = 'Second factor';
export const NONE_YET =
  'With a second factor, whoever learns your password still cannot sign in: a second step asks for your phone or your security key.';
export const IS_ON = 'Signing in asks for your password and one of these.';
export const REQUIRED_LEAD = 'Your distributor requires one.';
export const CODE_APP = 'Code app';
export const CODE_APP_LEAD = 'An app on your phone shows six digits that change every 30 seconds.';
export const PASSKEY_LEAD = 'Your phone, computer or security key confirms that it is you.';
export const ADD_PASSKEY = 'Add a passkey';
export const ADD_CODE_APP = 'Set up a code app';
export const addedText = (date: string): string => `Added ${date}`;
export const usedText = (date: string): string => `last used ${date}`;
export const REMOVE = 'Remove';
export const CONTINUE = 'Continue';
export const removeLabel = (name: string): string => `Remove ${name}`;
export const renameLabel = (name: string): string => `Rename ${name}`;
export const removeQuestion = (name: string): string => `Remove ${name}?`;
export const REMOVE_MEANS = 'Signing in does not ask for it any more. Enter your password to remove it.';
export const PASSWORD = 'Password';
export const PASSWORD_REQUIRED = 'Password is required';
export const NAME = 'Name';
export const NAME_HINT = 'Such as "My phone", so that you know it in the list.';
export const NAME_REQUIRED = 'Name is required';
export const DEFAULT_NAME = 'My device';
export const CODE = 'Code';
export const CODE_REQUIRED = 'Enter the six digits';
export const SCAN = 'Scan this code with an authenticator app, such as the one of your phone or password manager.';
export const SCAN_LABEL = 'QR code for the app';
export const TYPE_KEY = 'Or type this key into the app:';
export const ENTER_FIRST = 'Then enter the six digits that the app shows.';
export const NOT_POSSIBLE = 'This browser cannot use passkeys here. Set up a code app instead.';
export const PASSKEY_NOT_MADE = 'The passkey was not made. Try again, or set up a code app.';
export const FACTOR_ADDED = { title: 'Second factor added', description: 'You are signed out on every other device.' };
export const FACTOR_REMOVED = 'Removed';
export const RENAMED = 'Renamed';

// The texts about recovery codes.
export const RECOVERY_CODES = 'Recovery codes';
export const RECOVERY_LEAD =
  'With one of these you sign in when your phone is lost. Each works once. They are shown only now: print them, or keep the file in a safe place.';
export const codesLeftText = (count: number): string => (count === 1 ? '1 recovery code left' : `${count} recovery codes left`);
export const NEW_CODES = 'New codes';
export const NEW_CODES_QUESTION = 'Make new recovery codes?';
export const NEW_CODES_MEAN = 'The codes that you saved before stop working. Enter your password to make new ones.';
export const DOWNLOAD = 'Download';
export const PRINT = 'Print';
export const SAVED_THEM = 'I have saved them';
export const CLOSE_WITHOUT_CODES = {
  title: 'Close without saving the recovery codes?',
  text: 'They are not shown again. Without them you cannot sign in when your phone is lost.',
  confirmLabel: 'Close anyway',
  cancelLabel: 'Back to the codes',
};
export const CODES_FILE = 'feastday-recovery-codes.txt';
export const codesFileText = (email: string, codes: readonly string[]): string =>
  [`Feastday recovery codes of ${email}. Each works once.`, '', ...codes, ''].join('\r\n');
export const codesSheetTitle = (email: string): string => `Feastday recovery codes of ${email}`;

// An agent from whom a second factor is required sees the following texts on the first screen after signing in.
export const SET_UP_TITLE = 'Set up a second factor';
export const SET_UP_LEAD = 'Your distributor asks you to sign in with a second step. Set up one of these to go on.';
