import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../../test/screen.tsx';
import { makeCall } from '../../client/api/fetch.ts';
import { SecondFactorSection } from './second-factor-section.tsx';

beforeEach(() => {
  freshDevice();
  navigate('/distributor');
});

/** A server whose user adds a factor, but whose reply to this is lost. */
function serverLosing(path: string, added: object) {
  let factor: object = { passkeys: [], codeApp: null, recoveryCodes: 0, isRequired: false };
  const challenge = { challenge: 'AAAA', rp: { name: 'Feastday', id: 'localhost' }, pubKeyCredParams: [] };
  const replies: Record<string, () => Response> = {
    '/api/user': () => Response.json({ id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: null }),
    '/api/user/second-factor': () => Response.json(factor),
    '/api/user/second-factor/code-app/start': () => Response.json({ secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Feastday' }),
    '/api/user/second-factor/passkeys/start': () => Response.json({ ...challenge, user: { id: 'AAAA', name: 'office', displayName: '' } }),
    [path]: () => {
      factor = { ...factor, ...added, recoveryCodes: 10 };
      throw new TypeError('fetch failed');
    },
  };
  return makeCall({ host: '', fetch: async (url) => replies[url]?.() ?? new Response(null, { status: 404 }) });
}
const createdAt = '2027-03-01T14:00:00.000Z';

async function begin(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name }));
  const form = within(screen.getByRole('form', { name }));
  fireEvent.change(form.getByLabelText('Password'), { target: { value: 'Three-Sheep-42' } });
  fireEvent.click(form.getByRole('button', { name: 'Continue' }));
}
async function expectFactor(): Promise<void> {
  expect(await screen.findAllByText(/Feastday could not be reached/)).not.toHaveLength(0);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('10 recovery codes left')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'New codes' })).toBeTruthy();
}

test('when the reply to a new code app is lost, the second factor and "New codes" are shown nevertheless (contract §19)', async () => {
  const call = serverLosing('/api/user/second-factor/code-app', { codeApp: { createdAt, usedAt: null } });
  showScreen(call, '/distributor', () => <SecondFactorSection onDirty={() => {}} />);
  await begin('Set up a code app');
  fireEvent.change(await screen.findByLabelText('Code'), { target: { value: '123456' } });
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await expectFactor();
});

test('when the reply to a new passkey is lost, the second factor and "New codes" are shown nevertheless (contract §19)', async () => {
  const bytes = new ArrayBuffer(8);
  const passkey = { id: 'AAAA', rawId: bytes, type: 'public-key', response: { attestationObject: bytes, clientDataJSON: bytes } };
  vi.stubGlobal('PublicKeyCredential', () => {});
  vi.stubGlobal('navigator', { credentials: { create: async () => ({ ...passkey, getClientExtensionResults: () => ({}) }) } });
  onTestFinished(() => void vi.unstubAllGlobals());
  const call = serverLosing('/api/user/second-factor/passkeys', { passkeys: [{ id: 1, name: 'My phone', createdAt, usedAt: null }] });
  showScreen(call, '/distributor', () => <SecondFactorSection onDirty={() => {}} />);
  await begin('Add a passkey');
  await expectFactor();
});
