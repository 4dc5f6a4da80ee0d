// The UI texts of signing in (spec §2, §8; contract §3).
export const NO_MATCH = 'Invalid email or password';
export const LOCKED = 'Too many attempts. Try again in 15 minutes, or reset your password.';
export const LOGIN_FAILED = 'Login failed';
export const LOGOUT_FAILED = 'Logout failed';
export const OUTSIDE_PROVIDER = 'useAuth must be used within an AuthProvider';
export const RESET_ANSWER = 'If an account exists with that email, you will receive password reset instructions.';
export const RESET_DONE = 'Password has been reset. Please login with your new password.';
/** A second sentence below RESET_DONE. It is shown only to a user who is signed in already and need not sign in again. */
export const SIGNED_IN_HERE = 'On this device you are signed in already.';
export const PASSWORD_SET = 'Your password is set, and you are signed in.';
export const INVALID_LINK = 'This link is invalid or has expired.';
export const NOT_YOUR_PASSWORD = 'This is not your current password.';
export const RESET_TITLE = 'Reset Password';
export const SET_TITLE = 'Set your password';
export const NEW_PASSWORD = 'New Password';
export const NEW_LINK = 'E-mail me a new link';

/**
 * Returns the greeting with the e-mail address as plain text. Where the address is a link, the page uses WELCOME and the link instead (spec
 * §2).
 */
export const welcomeText = (email: string): string => `Welcome, ${email}`;
export const WELCOME = 'Welcome,';
export const LOGOUT = 'Logout';

// The texts of the form for signing in.
export const SIGN_IN_TITLE = 'Welcome back';
export const SIGN_IN_LEAD = 'Sign in to place your holiday orders.';
export const SIGN_IN = 'Sign in';
export const EMAIL = 'Email';
export const PASSWORD = 'Password';
export const PASSWORD_REQUIRED = 'Password is required';
export const FORGOT_PASSWORD = 'Forgot password?';
export const RESET_YOUR_PASSWORD = 'Reset your password';
export const BACK_TO_SIGN_IN = 'Back to sign in';

// The texts for requesting a link by mail, and for the panel that tells the user to check the mail.
export const FORGOT_TITLE = 'Forgot your password?';
export const NEW_LINK_TITLE = 'Get a new link';
export const RESET_LEAD = 'We e-mail you a link that sets a new password. It works for one hour.';
export const NEW_INVITATION_LEAD = 'We e-mail you a link that sets your password.';
export const MAIL_LINK = 'E-mail me a link';
export const MAILED_TITLE = 'Check your e-mail';
export const MAIL_MISSING = 'Nothing there after a few minutes? Look in the spam folder.';
export const NEW_PASSWORD_LEAD = 'Choose the password that you will sign in with.';

// The texts of the form for joining a distributor.
export const JOIN = 'Join';
export const JOIN_LEAD = 'Enter your e-mail address, and we mail you a link to set a password and place your order.';
export const JOINED_TITLE = 'Almost there';
/** Shown on the page of an expired join link. */
export const JOIN_AGAIN =
  'If you have set your password already, sign in. Otherwise use the join link of your distributor again, and we mail you a new link.';

// The rules for a new password (spec §5). The form ticks each rule off while the user types.
export const PASSWORD_RULES = {
  length: 'At least 8 characters',
  uppercase: 'One uppercase letter',
  lowercase: 'One lowercase letter',
  number: 'One number',
};
/** The text that screen readers announce after a rule that the password meets. */
export const RULE_MET = ': done. ';

// The texts of the marketing panel.
export const ABOUT = 'About Feastday';
export const SELLING_POINTS = {
  order: { title: 'Order from the couch', text: 'Every product, every price, one running total.' },
  weigh: { title: 'Weighed for real', text: 'You pay for the pounds you take home, to the cent.' },
  settle: { title: 'Settled in a minute', text: 'One clear balance, one receipt, out of the door.' },
};

// The texts of the user's own account that other screens use, too. Those of its dialog are in account/texts.ts.
export const ACCOUNT = 'Account';
export const ACCOUNT_FAILED = 'The account could not be opened. Check your connection and try again.';
export const SIGN_OUT_EVERYWHERE = 'Sign out everywhere';

const ROLE_LABELS = { admin: 'admin', distributor: 'distributor', agent: 'agent', customer: 'customer' } as const;
/** Returns, for example, 'office@bethel.test (distributor)', which names the person who made a change. */
export const byText = (email: string, role: keyof typeof ROLE_LABELS): string => `${email} (${ROLE_LABELS[role]})`;
