import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../../test/screen.tsx';
import { makeCall } from '../../client/api/fetch.ts';
import { LastCustomerUpload, LastProductUpload } from './last-upload.tsx';

const NOBODY = { count: 0, customers: [] };
const RIVKA = { count: 1, customers: [{ firstName: 'Rivka', lastName: 'Abramov', email: null }] };
const NOTHING = { orders: NOBODY, paid: NOBODY, products: { count: 0, names: [] }, units: 0, before: 0, after: 0 };
const PAID = { orders: RIVKA, paid: RIVKA, products: { count: 1, names: ['Brisket'] }, units: 2, before: 2400, after: 2000 };

beforeEach(() => {
  freshDevice();
  navigate('/distributor');
});

/**
 * Renders the page with a mocked server whose preview of the undo is `repriced`. Presses "Undo this upload". Returns the paths of the sent
 * changes.
 */
async function pressUndo(repriced: object): Promise<string[]> {
  const posted: string[] = [];
  const fetch = async (path: string, { method }: RequestInit): Promise<Response> => {
    if (path === '/api/user') return Response.json({ id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: null });
    if (method !== 'POST') return Response.json({ id: 3, finishedAt: '2027-03-01T14:00:00.000Z', added: 1, changed: 2 });
    posted.push(path);
    return path.endsWith('/repricing') ? Response.json(repriced) : new Response(null, { status: 204 });
  };
  showScreen(makeCall({ host: '', fetch }), '/distributor', () => <LastProductUpload distributionId={5} onUndone={() => undefined} />);
  fireEvent.click(await screen.findByText('Undo this upload'));
  return posted;
}

test('before an upload of products is undone, a dialog names the customers whose orders are re-priced, and whether they have paid (contract §4)', async () => {
  const posted = await pressUndo(PAID);
  const dialog = await screen.findByRole('alertdialog', { name: 'Undo the last upload?' });
  expect(dialog.textContent).toContain('This re-prices 1 order, with a payment.');
  expect(dialog.textContent).toContain('With paymentsAbramov, RivkaTogether$24.00 → $20.00');
  expect(posted).toEqual(['/api/distributions/5/product-uploads/3/repricing']);
  fireEvent.click(within(dialog).getByText('Undo this upload'));
  await waitFor(() => expect(posted).toContain('/api/distributions/5/product-uploads/3/undo'));
});

test('before an upload of products is undone, a dialog asks for confirmation even if no order is re-priced; Cancel changes nothing', async () => {
  const posted = await pressUndo(NOTHING);
  const dialog = await screen.findByRole('alertdialog', { name: 'Undo the last upload?' });
  expect(dialog.textContent).not.toContain('re-prices');
  fireEvent.click(within(dialog).getByText('Cancel'));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(posted).toEqual(['/api/distributions/5/product-uploads/3/repricing']);
});

test('when the last upload could not be loaded, a line says so, and Try again shows its Undo button', async () => {
  let isBusy = true;
  const fetch = async (path: string): Promise<Response> => {
    if (path === '/api/user') return Response.json({ id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: null });
    if (isBusy) return new Response('The server is busy.', { status: 503 });
    return Response.json({ id: 3, finishedAt: '2027-03-01T14:00:00.000Z', added: 1, changed: 2 });
  };
  showScreen(makeCall({ host: '', fetch }), '/distributor', () => (
    <>
      <LastProductUpload distributionId={5} onUndone={() => undefined} />
      <LastCustomerUpload onUndone={() => undefined} />
    </>
  ));
  await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2));
  for (const { textContent } of screen.getAllByRole('alert'))
    expect(textContent).toBe('The last upload could not be loaded: The server is busy. Try again');
  isBusy = false;
  for (const button of screen.getAllByRole('button', { name: 'Try again' })) fireEvent.click(button);
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Undo this upload' })).toHaveLength(2));
});

test.each([
  ['products', <LastProductUpload key="products" distributionId={5} onUndone={() => undefined} />],
  ['customers', <LastCustomerUpload key="customers" onUndone={() => undefined} />],
])('an upload of %s whose undo got no reply is no longer offered beside the error (contract §4)', async (_name, lastUpload) => {
  let isUndone = false;
  const fetch = async (path: string, { method }: RequestInit): Promise<Response> => {
    if (path === '/api/user') return Response.json({ id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: null });
    if (path.endsWith('/repricing')) return Response.json(NOTHING);
    if (method !== 'POST') return Response.json(isUndone ? null : { id: 3, finishedAt: '2027-03-01T14:00:00.000Z', added: 1, changed: 2 });
    isUndone = true;
    throw new TypeError('fetch failed');
  };
  showScreen(makeCall({ host: '', fetch }), '/distributor', () => lastUpload);
  fireEvent.click(await screen.findByText('Undo this upload'));
  const dialog = await screen.findByRole('alertdialog', { name: 'Undo the last upload?' });
  fireEvent.click(within(dialog).getByText('Undo this upload'));
  await screen.findByText(/could not be reached/);
  await waitFor(() => expect(screen.queryByText('Undo this upload')).toBeNull());
});
