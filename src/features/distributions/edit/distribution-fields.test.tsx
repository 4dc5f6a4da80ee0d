import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { makeCall } from '../../../client/api/fetch.ts';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { today } from '../../../shared/dates.ts';
import { CreateForm } from '../create/create-form.tsx';
import { DistributionInfo } from './distribution-info.tsx';

const PASSOVER = {
  id: 9,
  distributorId: 1,
  name: 'Passover 2027',
  date: '2027-04-15',
  published: false,
  acceptActuals: false,
  orderingOpen: true,
  groupOrder: null,
  opensAt: null,
  closesAt: null,
  remindHours: null,
  timeZone: null,
  hasSlots: false,
  rehearsal: false,
};

const Create = (): ReactNode => (
  <Dialog onClose={() => {}} title="New">
    <CreateForm onClose={() => {}} onDirty={() => {}} />
  </Dialog>
);
const Edit = (): ReactNode => <DistributionInfo distribution={PASSOVER} />;

beforeEach(freshDevice);

test('the Info tab saves only the changed one of name and date, so that the other keeps what another window has saved meanwhile (spec §7)', async () => {
  const sent: unknown[] = [];
  const user = { id: 1, email: 'office@bethel.test', role: 'distributor', distributorId: 1 };
  const fetch = async (path: string, init: RequestInit): Promise<Response> => {
    if (init.method === 'PATCH') sent.push(JSON.parse(init.body as string));
    return Response.json(path === '/api/user' ? user : path === '/api/distributions/9/products' ? [] : PASSOVER);
  };
  showScreen(makeCall({ host: '', fetch }), '/', Edit);
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Shavuot' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual([{ name: 'Shavuot', before: { name: 'Passover 2027' } }]));
});

test.each([
  ['create', Create, 'Create Distribution', ''],
  ['edit', Edit, 'Save', ''],
  ['edit', Edit, 'Save', '0202-04-15'],
])(
  'in the %s form, an incomplete date is replaced by the date of today, which is saved only on the next submit (spec §5)',
  async (_, form, button, incomplete) => {
    const sent: unknown[] = [];
    const user = { id: 1, email: 'office@bethel.test', role: 'distributor', distributorId: 1 };
    const fetch = async (path: string, init: RequestInit): Promise<Response> => {
      if (path === '/api/user') return Response.json(user);
      if (path === '/api/distributions' && init.method === 'GET') return Response.json([PASSOVER]);
      if (path === '/api/distributions/9/products') return Response.json([]);
      if (init.method !== 'GET') sent.push(JSON.parse(init.body as string));
      return Response.json(PASSOVER);
    };
    showScreen(makeCall({ host: '', fetch }), '/', form);
    const date = await screen.findByLabelText<HTMLInputElement>('Date');
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Shavuot' } });
    fireEvent.change(date, { target: { value: incomplete } });
    fireEvent.blur(date);

    fireEvent.click(screen.getByRole('button', { name: button }));
    expect(await screen.findByText('The date was not complete. It is set to today: please check it, then save again.')).toBeTruthy();
    const now = today(new Date());
    expect([date.value, document.activeElement, sent]).toEqual([now, date, []]);

    fireEvent.click(screen.getByRole('button', { name: button }));
    await waitFor(() => expect(sent).toMatchObject([{ name: 'Shavuot', date: now }]));
  },
);
