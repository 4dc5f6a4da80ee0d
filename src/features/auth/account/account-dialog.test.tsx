import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { freshDevice } from '../../../../test/screen.tsx';
import { makeCall } from '../../../client/api/fetch.ts';
import { Toaster } from '../../../client/toasts/toaster.tsx';
import { CallContext, makeQueryClient } from '../../../client/api/use-calls.ts';
import { AccountButton } from './account-button.tsx';
import { AuthProvider, useAuth } from '../auth-provider.tsx';

const RIVKA = { id: 7, email: 'rivka@mail.test', role: 'customer', distributorId: 1 };
const SignedIn = () => useAuth().user && <AccountButton />;

beforeEach(freshDevice);

async function open(answers: Readonly<Record<string, () => Response>> = {}): Promise<HTMLElement> {
  const call = makeCall({
    host: '',
    fetch: (path) => Promise.resolve((answers[path] ?? (() => Response.json(RIVKA)))()),
  });
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <CallContext value={call}>
        <AuthProvider>
          <SignedIn />
        </AuthProvider>
        <Toaster />
      </CallContext>
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Account' }));
  return await screen.findByRole('dialog', { name: 'Account' });
}

const type = (label: string, text: string): void => void fireEvent.change(screen.getByLabelText(label), { target: { value: text } });

test("the account dialog shows the user's e-mail address; changing the password requires the current and a new password", async () => {
  const dialog = await open();
  expect(within(dialog).getByText('Signed in as rivka@mail.test')).toBeTruthy();
  expect(within(dialog).getByLabelText<HTMLInputElement>('The / key goes to the search').checked).toBe(true);
  expect(within(dialog).getByText('On this computer, wherever nothing is being typed.')).toBeTruthy();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Change password' }));
  expect(within(dialog).getByText('Current password is required')).toBeTruthy();
  expect(within(dialog).getByText('Password must be at least 8 characters')).toBeTruthy();
});

test('the account dialog says after a password change that other devices are signed out', async () => {
  await open({ '/api/user/password': () => new Response(null, { status: 204 }) });
  type('Current Password', 'Three-Sheep-42');
  type('New Password', 'Four-Goats-42');
  fireEvent.click(screen.getByRole('button', { name: 'Change password' }));
  expect(await screen.findByText('Password changed')).toBeTruthy();
  expect(screen.getByText('You are signed out on every other device.')).toBeTruthy();
});

test('the account dialog asks before signing out everywhere, and says that this device is included', async () => {
  const dialog = await open();
  expect(within(dialog).getByRole('heading', { name: 'Other devices' })).toBeTruthy();
  expect(within(dialog).getByText('Lost a phone, or signed in on a computer that is not yours? End every session at once.')).toBeTruthy();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }));
  const question = screen.getByRole('alertdialog', { name: 'Sign out everywhere?' });
  expect(within(question).getByText('You are signed out on every phone and computer, this one included.')).toBeTruthy();
});

test('setting up a code app focuses each next field; until the new recovery codes are copied, closing the dialog asks for a confirmation (contract §19)', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {}, removeEventListener: () => {} }));
  const dialog = await open({
    '/api/user': () => Response.json({ ...RIVKA, role: 'distributor' }),
    '/api/user/second-factor': () => Response.json({ passkeys: [], codeApp: null, recoveryCodes: 0, isRequired: false }),
    '/api/user/second-factor/code-app/start': () => Response.json({ secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Feastday' }),
    '/api/user/second-factor/code-app': () => Response.json({ recoveryCodes: ['ABCD-EFGH-JKLM'] }, { status: 201 }),
  });
  fireEvent.click(await within(dialog).findByRole('button', { name: 'Set up a code app' }));
  const form = within(within(dialog).getByRole('form', { name: 'Set up a code app' }));
  const password = form.getByLabelText('Password');
  await waitFor(() => expect(document.activeElement).toBe(password));
  fireEvent.change(password, { target: { value: 'Three-Sheep-42' } });
  fireEvent.click(form.getByRole('button', { name: 'Continue' }));
  const code = await within(dialog).findByLabelText('Code');
  await waitFor(() => expect(document.activeElement).toBe(code));
  fireEvent.change(code, { target: { value: '123456' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Continue' }));
  const shown = await within(dialog).findByText('ABCD-EFGH-JKLM');

  fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
  const question = screen.getByRole('alertdialog', { name: 'Close without saving the recovery codes?' });
  fireEvent.click(within(question).getByRole('button', { name: 'Back to the codes' }));
  expect(within(dialog).getByText('ABCD-EFGH-JKLM')).toBeTruthy();
  fireEvent.copy(shown);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});
