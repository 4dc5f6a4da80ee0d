// This file contains the UI texts of the second step of a sign-in (contract §19).
export const WRONG_RECOVERY_CODE = 'This recovery code is wrong or has been used.';
export const WRONG_PASSKEY = 'This passkey was not accepted. Try again, or use another way.';
export const STEP_EXPIRED = 'This sign-in has expired. Enter your password again.';
export const ONE_WAY = 'Send exactly one of code, recoveryCode and passkey.';

export const STEP_TITLE = 'One more step';
export const STEP_LEAD = {
  passkey: 'Your password is right. Confirm with your passkey that it is you.',
  code: 'Your password is right. Enter the code that your app shows now.',
  recovery: 'Enter one of the recovery codes that you saved. Each works once.',
};
export const USE_PASSKEY = 'Use passkey';
export const CODE = 'Code';
export const RECOVERY_CODE = 'Recovery code';
export const CONTINUE = 'Continue';
export const CODE_REQUIRED = 'Enter the six digits';
export const RECOVERY_REQUIRED = 'Enter a recovery code';
export const OTHER_WAYS = { passkey: 'Use a passkey', code: 'Use a code of my app', recovery: 'Use a recovery code' };
export const ENTER_PASSWORD = 'Enter your password again';
export const START_OVER = 'Sign in as somebody else';
export const PASSKEY_FAILED = 'The passkey was not used. Try again, or use another way.';
