import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../../test/screen.tsx';
import { makeCall } from '../../client/api/fetch.ts';
import { EmailLog } from './email-log.tsx';
import { MailEditor } from './send/mail-editor.tsx';

const USER = { id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: null };
const MAIL = {
  id: 1,
  to: 'rivka@mail.test',
  subject: '',
  kind: 'reset',
  status: 'queued',
  response: null,
  createdAt: '2027-04-01T12:00:00.000Z',
  sentAt: null,
  success: false,
};

beforeEach(() => {
  freshDevice();
  navigate('/distributor');
});

async function open(mails: () => readonly object[]): Promise<void> {
  const fetch = async (path: string): Promise<Response> => Response.json(path === '/api/user' ? USER : mails());
  showScreen(makeCall({ host: '', fetch }), '/distributor', EmailLog);
  await screen.findAllByLabelText('Earlier e-mails');
}
const subjects = (): (string | null)[] =>
  [...document.querySelectorAll('tbody tr')].map(({ children }) => children[1]?.textContent ?? null);

test('for an e-mail that is not rendered yet, the log of e-mails shows only the kind; for a rendered e-mail, the subject with the kind below', async () => {
  const kinds = ['invitation', 'reset', 'exists', 'confirmation'];
  const queued = kinds.map((kind, index) => ({ ...MAIL, id: index + 1, kind }));
  const written = { ...MAIL, id: 5, kind: 'reset', subject: 'Set a new password', status: 'sent', success: true };
  await open(() => [...queued, written, { ...written, id: 6, kind: 'bulk', subject: 'Pick-up' }]);
  expect(subjects()).toEqual([
    'Invitation',
    'Password reset',
    'Sign-in reminder',
    'Order confirmation',
    'Set a new passwordPassword reset',
    'Pick-up',
  ]);
});

test('the log of e-mails says that no mail is left with the state that the user filters by', async () => {
  let status = 'failed';
  await open(() => [{ ...MAIL, status }]);
  fireEvent.click(screen.getByText('Failed', { selector: 'button' }));
  expect(subjects()).toHaveLength(1);
  status = 'sent';
  fireEvent.click(screen.getByText('Refresh'));
  expect(await screen.findByText('None of them is in this state any more.')).toBeTruthy();
});

const script = (address: string): Element | null => document.querySelector(`script[src="${address}"]`);

test('when the e-mail editor cannot be loaded, a message says so and offers to load the editor again (spec §9)', () => {
  render(<MailEditor html="" onHtml={() => undefined} />);
  fireEvent.error(script('/tinymce/tinymce.min.js') ?? document);
  expect(screen.getByText('The editor did not arrive. Check your connection.')).toBeTruthy();
  fireEvent.click(screen.getByText('Try again'));
  expect(screen.queryByText('The editor did not arrive. Check your connection.')).toBeNull();
  expect(script('/tinymce/tinymce.min.js?1')).not.toBeNull();
});
