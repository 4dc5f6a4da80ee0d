// Lists the visual states of the sign-in screen and of the 404 page (spec §2; contract §3).
import type { Page } from '@playwright/test';
import type { VisualState } from '../setup/visual-state.ts';
import { after, answered, at, press, reads, type, unanswered, waits } from '../setup/steps.ts';

const LOCKED = 'Too many attempts. Try again in 15 minutes, or reset your password.';

/** Sends the sign-in form. The test replies in place of the server, so the password does not matter. */
async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('rivka@mail.test');
  await page.getByRole('textbox', { name: 'Password' }).fill('Wrong-Word-1');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const typeNew = (password: string) => async (page: Page) => await page.getByRole('textbox', { name: 'New Password' }).fill(password);

/** Replies in place of the server that the link in the mail is valid. */
const linkWorks = answered('**/api/reset-password/check', 200, { isValid: true });

const state = (name: string, open: VisualState['open']): VisualState => ({ name, as: 'nobody', rows: 'none', open });

export const SIGNING_IN: readonly VisualState[] = [
  state('not-found', at('/no/such/page')),
  state('sign-in', at('/auth')),
  state('sign-in-loading', after(unanswered('**/api/user'), waits('/auth', 'output'))),
  state('sign-in-invalid', at('/auth', press('Sign in'), reads('Invalid email address'))),
  state('sign-in-refused', at('/auth', answered('**/api/login', 401, 'Invalid email or password'), signIn, reads('Login failed'))),
  state('sign-in-locked', at('/auth', answered('**/api/login', 429, LOCKED), signIn, reads('Reset your password'))),
  state(
    'sign-in-unreachable',
    at('/auth', (page) => page.route('**/api/login', (route) => route.abort()), signIn, reads('Login failed')),
  ),
  state('sign-in-sending', at('/auth', unanswered('**/api/login'), signIn)),
  state('forgot-password', at('/auth?forgot')),
  state('forgot-password-invalid', at('/auth?forgot', press('E-mail me a link'), reads('Invalid email address'))),
  state('forgot-password-expired', at('/auth?forgot=expired')),
  state(
    'forgot-password-sent',
    at('/auth?forgot', type('Email', 'rivka@mail.test'), press('E-mail me a link'), reads('Check your e-mail')),
  ),
  state('reset-password', after(linkWorks, at('/auth?token=nothing'))),
  state('reset-password-typed', after(linkWorks, at('/auth?token=nothing', typeNew('Holiday')))),
  state(
    'reset-password-invalid',
    after(linkWorks, at('/auth?token=nothing', press('Reset Password'), reads('Password must be at least 8 characters'))),
  ),
  state('reset-password-refused', at('/auth?token=nothing', reads('This link is invalid or has expired.'))),
  state('reset-password-expired', at('/auth?token=nothing', typeNew('Holiday2027'), press('Reset Password'), reads('Get a new link'))),
  state('set-password', after(linkWorks, at('/auth?token=invite-nothing'))),
  state('join-link-expired', at('/auth?token=join-nothing', typeNew('Holiday2027'), press('Set your password'), reads('Get a new link'))),
  state('join', at('/auth?join=nothing')),
  state('join-sent', at('/auth?join=nothing', type('Email', 'rivka@mail.test'), press('Join'), reads('Almost there'))),
];
