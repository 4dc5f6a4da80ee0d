import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice } from '../../../../test/screen.tsx';
import { makeCall } from '../../../client/api/fetch.ts';
import { Toaster } from '../../../client/toasts/toaster.tsx';
import { CallContext, makeQueryClient } from '../../../client/api/use-calls.ts';
import { AuthPage } from './auth-page.tsx';
import { AuthProvider } from '../auth-provider.tsx';

beforeEach(freshDevice);

/** Opens a URL as a signed-out visitor. The simulated server sends the given responses. */
async function open(address: string, answers: Readonly<Record<string, (init?: RequestInit) => Response>> = {}): Promise<void> {
  navigate(address);
  const call = makeCall({
    host: '',
    fetch: (path, init) => Promise.resolve(answers[path]?.(init) ?? new Response('Please sign in.', { status: 401 })),
  });
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <CallContext value={call}>
        <AuthProvider>
          <AuthPage />
        </AuthProvider>
        <Toaster />
      </CallContext>
    </QueryClientProvider>,
  );
  await screen.findByRole('heading', { level: 1 });
}

const title = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;
const paragraphs = (): (string | null)[] => [...document.querySelectorAll('main p')].map(({ textContent }) => textContent);
const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));
const typeEmail = (email: string): void => void fireEvent.change(screen.getByLabelText('Email'), { target: { value: email } });

test('the page /auth shows a greeting on the sign-in screen and explains Feastday beside the form (spec §1, §2)', async () => {
  await open('/auth');
  expect([title(), ...paragraphs()]).toEqual(['Welcome back', 'Sign in to place your holiday orders.']);
  const panel = screen.getByRole('region', { name: 'About Feastday' });
  expect([...panel.querySelectorAll('h2, p')].map(({ textContent }) => textContent)).toEqual([
    'A platform to place your holiday orders.',
    'Order from the couch',
    'Every product, every price, one running total.',
    'Weighed for real',
    'You pay for the pounds you take home, to the cent.',
    'Settled in a minute',
    'One clear balance, one receipt, out of the door.',
  ]);
});

test('the page /auth reports an empty field below that field, and sends nothing (spec §5)', async () => {
  await open('/auth');
  press('Sign in');
  expect(paragraphs().slice(1)).toEqual(['Invalid email address', 'Password is required']);
});

test('the page /auth hides a password until the user shows it, and hides it again', async () => {
  await open('/auth');
  const field = screen.getByLabelText<HTMLInputElement>('Password');
  expect(field.type).toBe('password');
  press('Show password');
  expect(field.type).toBe('text');
  press('Hide password');
  expect(field.type).toBe('password');
});

test('after a reset request, the page /auth says how long the link is valid and where to look for the mail (spec §8; contract §3)', async () => {
  const message = 'If an account exists with that email, you will receive password reset instructions.';
  await open('/auth?forgot', { '/api/reset-password/request': () => Response.json({ message }) });
  expect([title(), ...paragraphs()]).toEqual([
    'Forgot your password?',
    'We e-mail you a link that sets a new password. It works for one hour.',
  ]);
  typeEmail('rivka@mail.test');
  press('E-mail me a link');
  expect(await screen.findByText(message)).toBeTruthy();
  expect([title(), ...paragraphs().slice(1)]).toEqual(['Check your e-mail', 'Nothing there after a few minutes? Look in the spam folder.']);
  expect(screen.getByRole('link', { name: 'Back to sign in' }).getAttribute('href')).toBe('/auth');
});

const refusedLink = { '/api/reset-password/check': () => Response.json({ isValid: false }) };

test('the page /auth says at once that a used or expired link is invalid, and offers to request a new link beside the form (spec §2; contract §3)', async () => {
  await open('/auth?token=used', refusedLink);
  expect((await screen.findByRole('alert')).textContent).toContain('This link is invalid or has expired.');
  expect([title(), screen.getByLabelText('New Password').getAttribute('type')]).toEqual(['Reset Password', 'password']);
  press('E-mail me a new link');
  expect(title()).toBe('Get a new link');
  expect(screen.getByLabelText('Email')).toBeTruthy();
});

test('the page /auth says at once that a mailed join link has expired, and where the customer can get another link (contract §3)', async () => {
  await open('/auth?token=join-old', refusedLink);
  expect(await screen.findByText(/Otherwise use the join link of your distributor again/)).toBeTruthy();
  expect([title(), screen.queryByRole('button', { name: 'E-mail me a new link' })]).toEqual(['Set your password', null]);
});

test('the page /auth shows only the form for a new password when the link is valid, and when the server cannot check the link (spec §2)', async () => {
  for (const check of [() => Response.json({ isValid: true }), () => new Response('The database cannot be reached.', { status: 503 })]) {
    let hasAnswered = false;
    await open('/auth?token=good', { '/api/reset-password/check': () => ((hasAnswered = true), check()) });
    await expect.poll(() => hasAnswered).toBe(true);
    expect([title(), screen.getByRole('alert').textContent, screen.queryByText('Error')]).toEqual(['Reset Password', '', null]);
    cleanup();
  }
});

test('the page /auth shows the form that requests a new link once the server has refused the opened link as invalid (contract §3)', async () => {
  await open('/auth?token=used', {
    '/api/reset-password/reset': () => new Response('This link is invalid or has expired.', { status: 400 }),
  });
  expect([title(), paragraphs()[0]]).toEqual(['Reset Password', 'Choose the password that you will sign in with.']);
  expect(location.search).toBe('');
  fireEvent.change(screen.getByLabelText('New Password'), { target: { value: 'Three-Sheep-42' } });
  press('Reset Password');
  expect(await screen.findByRole('button', { name: 'E-mail me a new link' })).toBeTruthy();
  expect(title()).toBe('Get a new link');
  expect(document.querySelector('main')?.textContent).toContain('This link is invalid or has expired.');
});

test('the page /auth sets a password from an invitation and signs in (contract §3)', async () => {
  const user = { id: 7, email: 'rivka@mail.test', role: 'customer', distributorId: 1 };
  await open('/auth?token=invite-good', {
    '/api/reset-password/reset': () => Response.json({ message: 'Your password is set, and you are signed in.', user }),
  });
  expect([title(), paragraphs()[0]]).toEqual(['Set your password', 'Choose the password that you will sign in with.']);
  fireEvent.change(screen.getByLabelText('New Password'), { target: { value: 'Three-Sheep-42' } });
  press('Set your password');
  expect(await screen.findByText('Your password is set, and you are signed in.')).toBeTruthy();
  expect(location.pathname).toBe('/customer');
});

test('the page /auth offers to mail a new invitation when the opened one has expired (contract §3)', async () => {
  const message = 'If an account exists with that email, you will receive password reset instructions.';
  const sent: unknown[] = [];
  await open('/auth?token=invite-old', {
    '/api/reset-password/reset': () => new Response('This link is invalid or has expired.', { status: 400 }),
    '/api/reset-password/request': (init) => (sent.push(init?.body), Response.json({ message })),
  });
  fireEvent.change(screen.getByLabelText('New Password'), { target: { value: 'Three-Sheep-42' } });
  press('Set your password');
  await screen.findByRole('button', { name: 'E-mail me a new link' });
  expect([title(), paragraphs()[0]]).toEqual(['Get a new link', 'We e-mail you a link that sets your password.']);
  typeEmail('rivka@mail.test');
  press('E-mail me a new link');
  expect(await screen.findByText(message)).toBeTruthy();
  expect(sent).toEqual(['{"email":"rivka@mail.test","invitation":"invite-old"}']);
});

test("once the server has refused a mailed join link as expired, the page /auth refers the customer to the distributor's join link (contract §3)", async () => {
  await open('/auth?token=join-old', {
    '/api/reset-password/reset': () => new Response('This link is invalid or has expired.', { status: 400 }),
  });
  expect(title()).toBe('Set your password');
  fireEvent.change(screen.getByLabelText('New Password'), { target: { value: 'Three-Sheep-42' } });
  press('Set your password');
  expect(await screen.findByText(/Otherwise use the join link of your distributor again/)).toBeTruthy();
  expect([title(), screen.queryByRole('button', { name: 'E-mail me a new link' })]).toEqual(['Get a new link', null]);
});

test('the page /auth tells a joining customer that a mail will be sent, and afterwards that it was sent (contract §3)', async () => {
  await open('/auth?join=feast', {
    '/api/register': () => Response.json({ message: 'Check your e-mail to finish joining.' }, { status: 202 }),
  });
  expect([title(), ...paragraphs()]).toEqual([
    'Join',
    'Enter your e-mail address, and we mail you a link to set a password and place your order.',
  ]);
  typeEmail('new@mail.test');
  press('Join');
  expect(await screen.findByText('Check your e-mail to finish joining.')).toBeTruthy();
  expect(title()).toBe('Almost there');
});

test('the page /auth focuses the field for the code in the second step of a sign-in, and asks for the password again when that step has expired (contract §19)', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {}, removeEventListener: () => {} }));
  vi.stubGlobal('navigator', Object.create(navigator, { userActivation: { value: { hasBeenActive: true } } }));
  const expired = 'This sign-in has expired. Enter your password again.';
  await open('/auth', {
    '/api/login': () => Response.json({ secondFactor: ['code'] }),
    '/api/login/second-factor': () => new Response(expired, { status: 401 }),
  });
  typeEmail('office@bethel.test');
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'Three-Sheep-42' } });
  press('Sign in');
  const code = await screen.findByLabelText('Code');
  await waitFor(() => expect(document.activeElement).toBe(code));
  fireEvent.change(code, { target: { value: '123456' } });
  press('Continue');
  fireEvent.click(await screen.findByRole('button', { name: 'Enter your password again' }));
  expect(await screen.findByLabelText('Password')).toBeTruthy();
  expect(title()).toBe('Welcome back');
});
