import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../../test/screen.tsx';
import { makeCall } from '../../client/api/fetch.ts';
import { SecondFactorSection } from './second-factor-section.tsx';

beforeEach(() => {
  freshDevice();
  navigate('/distributor');
});

test('when the reply to a new code app is lost, the second factor and "New codes" are shown nevertheless (contract §19)', async () => {
  let factor: object = { passkeys: [], codeApp: null, recoveryCodes: 0, isRequired: false };
  const replies: Record<string, () => Response> = {
    '/api/user': () => Response.json({ id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: null }),
    '/api/user/second-factor': () => Response.json(factor),
    '/api/user/second-factor/code-app/start': () => Response.json({ secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Feastday' }),
    '/api/user/second-factor/code-app': () => {
      factor = { ...factor, codeApp: { createdAt: '2027-03-01T14:00:00.000Z', usedAt: null }, recoveryCodes: 10 };
      throw new TypeError('fetch failed');
    },
  };
  const fetch = async (url: string) => replies[url]?.() ?? new Response(null, { status: 404 });
  showScreen(makeCall({ host: '', fetch }), '/distributor', () => <SecondFactorSection onDirty={() => {}} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Set up a code app' }));
  const form = within(screen.getByRole('form', { name: 'Set up a code app' }));
  fireEvent.change(form.getByLabelText('Password'), { target: { value: 'Three-Sheep-42' } });
  fireEvent.click(form.getByRole('button', { name: 'Continue' }));
  fireEvent.change(await screen.findByLabelText('Code'), { target: { value: '123456' } });
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findAllByText(/Feastday could not be reached/)).not.toHaveLength(0);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('10 recovery codes left')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'New codes' })).toBeTruthy();
});
