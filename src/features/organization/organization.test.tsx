import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../../test/screen.tsx';
import { expectReseeded } from '../../../test/seeded-form.tsx';
import { makeCall } from '../../client/api/fetch.ts';
import { dismissToasts } from '../../client/toasts/toast.ts';
import { JoinLink } from './join-link.tsx';
import { OrganizationButton } from './organization-dialog.tsx';

const USER = { id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: null };
const BETH_EL = { name: 'Beth El', address: '1 Elm St', city: 'Teaneck', state: 'NJ', zip: '07666', phone: '201-555-0100' };
const URL_OF_LINK = 'https://feast.example/auth?join=feast-4711';

beforeEach(() => {
  freshDevice();
  navigate('/distributor');
});

const OpenDialog = () => <OrganizationButton open onOpenChange={() => undefined} />;

test('the organization dialog keeps what was typed while the organization cannot be reloaded, and never opens the form with stale data', async () => {
  const [label, value, typed] = ['Name', 'Beth El', 'Beth El Teaneck'];
  const shown = { user: USER, at: '/distributor', form: OpenDialog, read: '/api/organization', stored: BETH_EL };
  await expectReseeded({ ...shown, label, value, typed });
});

test('the organization dialog offers to change a time zone that is set, and does not ask for a time zone otherwise (contract §11)', async () => {
  const bodies: unknown[] = [];
  let organization: object = { ...BETH_EL, timeZone: null };
  const fetch = async (path: string, { method, body }: RequestInit): Promise<Response> => {
    if (method === 'POST') bodies.push(JSON.parse(body as string));
    return Response.json(path === '/api/user' ? USER : organization);
  };
  const show = (): void => showScreen(makeCall({ host: '', fetch }), '/distributor', OpenDialog);
  show();
  await screen.findByLabelText('Name');
  expect(screen.queryByLabelText('Time zone')).toBeNull();
  cleanup();
  organization = { ...BETH_EL, timeZone: 'America/New_York' };
  show();
  const zone = await screen.findByLabelText<HTMLSelectElement>('Time zone');
  expect(zone.value).toBe('America/New_York');
  fireEvent.change(zone, { target: { value: 'America/Chicago' } });
  fireEvent.click(screen.getByText('Save'));
  const [changed, before] = [['timeZone'], { timeZone: 'America/New_York' }];
  await waitFor(() => expect(bodies).toEqual([{ ...BETH_EL, timeZone: 'America/Chicago', changed, before }]));
});

test('the organization dialog saves no unchanged time zone, so that one that was changed elsewhere meanwhile stays (contract §11)', async () => {
  const bodies: unknown[] = [];
  const fetch = async (path: string, { method, body }: RequestInit): Promise<Response> => {
    if (method === 'POST') bodies.push(JSON.parse(body as string));
    return Response.json(path === '/api/user' ? USER : { ...BETH_EL, timeZone: 'America/New_York' });
  };
  showScreen(makeCall({ host: '', fetch }), '/distributor', OpenDialog);
  fireEvent.change(await screen.findByLabelText('City'), { target: { value: 'Bergenfield' } });
  fireEvent.click(screen.getByText('Save'));
  await waitFor(() => expect(bodies).toEqual([{ ...BETH_EL, city: 'Bergenfield', changed: ['city'], before: { city: 'Teaneck' } }]));
});

test('when the browser cannot copy an active join link, the link is shown as text that the user can select (contract §3)', async () => {
  let url: string | null = null;
  const fetch = async (path: string, { method }: RequestInit): Promise<Response> => {
    if (method === 'POST') url = URL_OF_LINK;
    return Response.json(path === '/api/user' ? USER : path === '/api/join-link' ? { url } : { count: 0, newest: [] });
  };
  showScreen(makeCall({ host: '', fetch }), '/distributor', JoinLink);
  fireEvent.click(await screen.findByText('Join Link'));
  fireEvent.click(await screen.findByText('Turn on'));
  expect(await screen.findByText('Join link turned on')).toBeTruthy();
  const field = await screen.findByLabelText<HTMLInputElement>('Join link');
  expect(field.value).toBe(URL_OF_LINK);

  dismissToasts();
  document.execCommand = () => false;
  fireEvent.click(screen.getByText('Copy'));
  expect(await screen.findByText('The link could not be copied. Select it and copy it by hand.')).toBeTruthy();
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, URL_OF_LINK.length]);
});
