import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../../test/screen.tsx';
import { makeCall } from '../../client/api/fetch.ts';
import { SecondFactorSection } from './second-factor-section.tsx';

const response = { clientDataJSON: 'data', attestationObject: 'object' };
vi.mock('@simplewebauthn/browser', () => ({
  browserSupportsWebAuthn: () => true,
  startRegistration: () => Promise.resolve({ id: 'id', rawId: 'id', type: 'public-key', response }),
}));

beforeEach(() => {
  freshDevice();
  navigate('/distributor');
});

const CREATION_OPTIONS = { rp: { name: 'Feastday' }, user: { id: '7', name: 'a', displayName: 'a' }, challenge: 'c', pubKeyCredParams: [] };
const ADDED = {
  passkeys: { passkeys: [{ id: 3, name: 'My phone', createdAt: '2027-03-01T14:00:00.000Z', usedAt: null }], codeApp: null },
  'code-app': { passkeys: [], codeApp: { createdAt: '2027-03-01T14:00:00.000Z', usedAt: null } },
};

test.each([
  ['passkeys', 'Add a passkey'],
  ['code-app', 'Set up a code app'],
] as const)(
  'when the reply to POST %s is lost, the second factor and "New codes" are shown nevertheless (contract §19)',
  async (path, title) => {
    let factor: object = { passkeys: [], codeApp: null, recoveryCodes: 0, isRequired: false };
    const replies: Record<string, () => Response> = {
      '/api/user': () => Response.json({ id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: null }),
      '/api/user/second-factor': () => Response.json(factor),
      '/api/user/second-factor/passkeys/start': () => Response.json(CREATION_OPTIONS),
      '/api/user/second-factor/code-app/start': () => Response.json({ secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Feastday' }),
      [`/api/user/second-factor/${path}`]: () => {
        factor = { ...ADDED[path], recoveryCodes: 10, isRequired: false };
        throw new TypeError('fetch failed');
      },
    };
    const fetch = async (url: string) => replies[url]?.() ?? new Response(null, { status: 404 });
    showScreen(makeCall({ host: '', fetch }), '/distributor', () => <SecondFactorSection onDirty={() => {}} />);
    fireEvent.click(await screen.findByRole('button', { name: title }));
    const form = within(screen.getByRole('form', { name: title }));
    fireEvent.change(form.getByLabelText('Password'), { target: { value: 'Three-Sheep-42' } });
    fireEvent.click(form.getByRole('button', { name: 'Continue' }));
    if (path === 'code-app') {
      fireEvent.change(await screen.findByLabelText('Code'), { target: { value: '123456' } });
      fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    }
    expect(await screen.findAllByText(/Feastday could not be reached/)).not.toHaveLength(0);
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('10 recovery codes left')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'New codes' })).toBeTruthy();
  },
);
