// Every literal text of signing in (spec §2, §8; contract §3).
export const NO_MATCH = 'Invalid email or password';
export const LOCKED = 'Too many attempts. Try again in 15 minutes, or reset your password.';
export const LOGIN_FAILED = 'Login failed';
export const LOGOUT_FAILED = 'Logout failed';
export const OUTSIDE_PROVIDER = 'useAuth must be used within an AuthProvider';
export const TAG_LINE = 'A platform to place your holiday orders.';
export const RESET_ANSWER = 'If an account exists with that email, you will receive password reset instructions.';
export const RESET_DONE = 'Password has been reset. Please login with your new password.';
export const INVALID_LINK = 'This link is invalid or has expired.';
export const JOIN_ANSWER = 'Check your e-mail to finish joining.';
export const NOT_YOUR_PASSWORD = 'This is not your current password.';
export const RESET_TITLE = 'Reset Password';
export const NEW_PASSWORD = 'New Password';
export const NEW_LINK = 'E-mail me a new link';
