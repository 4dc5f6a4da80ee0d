// The texts of the dialog with the user's own account. They are not in auth/texts.ts, because the start of the app loads that file.
export const signedInText = (email: string): string => `Signed in as ${email}`;
export const CHANGE_PASSWORD = 'Change password';
export const CURRENT_PASSWORD = 'Current Password';
export const CURRENT_PASSWORD_REQUIRED = 'Current password is required';
export const PASSWORD_CHANGED = { title: 'Password changed', description: 'You are signed out on every other device.' };
export const OTHER_DEVICES = 'Other devices';
export const OTHER_DEVICES_LEAD = 'Lost a phone, or signed in on a computer that is not yours? End every session at once.';
export const SIGN_OUT_QUESTION = {
  title: 'Sign out everywhere?',
  description: 'You are signed out on every phone and computer, this one included.',
};

// The texts of the setting for keyboard shortcuts.
export const SLASH = 'The / key goes to the search';
export const SLASH_LEAD = 'On this computer, wherever nothing is being typed.';
