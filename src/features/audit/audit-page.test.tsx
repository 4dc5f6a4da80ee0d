import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../../test/screen.tsx';
import { makeCall } from '../../client/api/fetch.ts';
import { AUDIT_COLUMNS } from './audit-columns.tsx';
import { AUDIT_CSV } from './csv.ts';
import { AuditPage } from './audit-page.tsx';

const USER = { id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: null };
const DISTRIBUTION = {
  id: 9,
  distributorId: 7,
  name: 'Sukkot',
  date: '2027-10-15',
  published: true,
  acceptActuals: false,
  orderingOpen: true,
};
const DINA = { email: 'dina@mail.test', firstName: 'Dina', lastName: 'Katz' };
const TERMS = { unit_price: 1000, unit_qty: 1, unit_qty_is_estimate: false };
const FEE = { name: 'Delivery', type: 'flat', amount: 500, sort_order: 0 };

const by = { at: '2027-04-01T12:00:00.000Z', by: 'office@bethel.test', byRole: 'distributor' };
const nothing = { person: null, orderId: null, productCode: null, item: null };
const ofOrder = { person: DINA, orderId: 5, productCode: 101, item: 'Brisket' };
const paid = { ...ofOrder, productCode: null, item: null };
const check = { paymentMethod: 'Check', description: 'No. 77' };
const rows: object[] = [
  { kind: 'quantity', ...ofOrder, nameDetail: 'first cut', detail: { from: 0, to: 2 } },
  { kind: 'weight', ...ofOrder, detail: { unit: 1, uom: 'lb', from: null, to: 4.87 } },
  { kind: 'price', ...ofOrder, person: null, orderId: null, detail: { before: TERMS, after: { ...TERMS, unit_price: 1200 } } },
  { kind: 'fee', ...nothing, item: 'Delivery', detail: { before: null, after: FEE } },
  { kind: 'payment', ...paid, detail: { amount: 2000, feeAmount: 40, paymentMethod: 'Credit Card', description: 'Visa' } },
  { kind: 'payment', ...paid, detail: { amount: -1000, feeAmount: 0, ...check } },
  { kind: 'distribution', ...nothing, detail: { before: null, after: { name: 'Sukkot' } } },
  { kind: 'distribution', ...nothing, detail: { before: { published: false, name: 'Sukot' }, after: { published: true, name: 'Sukkot' } } },
  { kind: 'distribution', ...nothing, detail: { before: { published: true }, after: { published: false } } },
  { kind: 'distribution', ...nothing, detail: { before: { orderingOpen: true }, after: { orderingOpen: false } } },
  { kind: 'distribution', ...nothing, detail: { before: { acceptActuals: false }, after: { acceptActuals: true } } },
  { kind: 'distribution', ...nothing, detail: { before: { acceptActuals: true }, after: { acceptActuals: false } } },
  { kind: 'distribution', ...nothing, detail: { before: { date: '2027-10-14' }, after: { date: '2027-10-15' } } },
  { kind: 'distribution', ...nothing, detail: { before: { groupOrder: null }, after: { groupOrder: ['Wine', 'Beef'] } } },
  { kind: 'distribution', ...nothing, detail: { before: { groupOrder: ['Wine'] }, after: { groupOrder: null } } },
  ...['invite', 'unlock', 'disable', 'enable', 'sign-out'].map((act) => ({
    kind: 'person',
    ...nothing,
    person: DINA,
    detail: { act, previousEmail: null },
  })),
  { kind: 'person', ...nothing, person: DINA, detail: { act: 'mend', previousEmail: 'dna@mail.test' } },
  {
    kind: 'contact',
    ...nothing,
    person: DINA,
    detail: { before: { lastName: 'Katz', phone: '' }, after: { lastName: 'Katz-Levi', phone: '555-0199' } },
  },
].map((row, index) => ({ ...by, key: `${9000 - index}.1.1`, ...row }));

beforeEach(freshDevice);

const requested: string[] = [];
async function open(partOf: (url: URL) => Response): Promise<void> {
  requested.length = 0;
  navigate('/distributor/distribution/9/audit');
  const fetch = (path: string): Promise<Response> => {
    const url = new URL(path, 'http://localhost');
    if (url.pathname.endsWith('/audit')) requested.push(url.search);
    if (url.pathname === '/api/user') return Promise.resolve(Response.json(USER));
    return Promise.resolve(url.pathname === '/api/distributions' ? Response.json([DISTRIBUTION]) : partOf(url));
  };
  showScreen(makeCall({ host: '', fetch }), '/distributor/distribution/:id/audit', AuditPage);
  await screen.findByRole('heading', { name: 'Who changed what' });
}

test('the audit page shows, for every kind of change, what was changed, the product or fee, the customer concerned and who made the change', async () => {
  await open(() => Response.json(rows));
  await screen.findByRole('table', { name: 'Changes' });
  const cells = [...document.querySelectorAll('tbody tr')].map((row) => [...row.children].slice(1).map(({ textContent }) => textContent));
  const office = 'office@bethel.test (distributor)';
  expect(cells).toEqual([
    ['Order', '0 → 2', '101 Brisket, first cut', 'Katz, Dina', office],
    ['Weight', 'Unit 1: nothing → 4.87 lb', '101 Brisket', 'Katz, Dina', office],
    ['Price', 'Unit price $10.00 → $12.00', '101 Brisket', '—', office],
    ['Fee', 'Fee added: $5.00', 'Delivery', '—', office],
    ['Payment', 'Credit Card: $20.00 paid · card fee $0.40 · Visa', '—', 'Katz, Dina', office],
    ['Payment', 'Check: $10.00 given back · No. 77', '—', 'Katz, Dina', office],
    ['Distribution', 'Created', '—', '—', office],
    ['Distribution', 'Published · Name: Sukot → Sukkot', '—', '—', office],
    ['Distribution', 'Unpublished', '—', '—', office],
    ['Distribution', 'Ordering closed', '—', '—', office],
    ['Distribution', 'Actual quantities accepted', '—', '—', office],
    ['Distribution', 'Actual quantities no longer accepted', '—', '—', office],
    ['Distribution', 'Date: October 14, 2027 → October 15, 2027', '—', '—', office],
    ['Distribution', 'Order of groups: Wine, Beef', '—', '—', office],
    ['Distribution', 'Groups by alphabet', '—', '—', office],
    ['Person', 'Invited', '—', 'Katz, Dina', office],
    ['Person', 'Unlocked', '—', 'Katz, Dina', office],
    ['Person', 'Disabled', '—', 'Katz, Dina', office],
    ['Person', 'Enabled', '—', 'Katz, Dina', office],
    ['Person', 'Signed out everywhere', '—', 'Katz, Dina', office],
    ['Person', 'Address corrected, was dna@mail.test', '—', 'Katz, Dina', office],
    ['Contact', 'Last Name: Katz → Katz-Levi · Phone Number: nothing → 555-0199', '—', 'Katz, Dina', office],
  ]);
  expect([...document.querySelectorAll('thead th')].map(({ textContent }) => textContent)).toEqual([
    'When',
    'Kind',
    'Change',
    'What',
    'Whose',
    'Who',
  ]);
  expect(screen.getByText('No older change is recorded.')).toBeTruthy();
  expect(
    screen.getByText(
      'Every change of orders, weights and payments, of prices and fees that orders depend on, of this distribution, of contacts that staff corrected, and of how people sign in.',
    ),
  ).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Back to Distribution' }).getAttribute('href')).toBe('/distributor/distribution/9');
});

test('the audit page says that there is no change yet when the audit trail is empty', async () => {
  await open(() => Response.json([]));
  expect(await screen.findByText('No change is recorded yet.')).toBeTruthy();
});

test('the audit page loads the changes before the oldest one shown when the user requests older changes', async () => {
  const many = Array.from({ length: 100 }, (_, index) => ({ ...rows[0], key: `${8000 - index}.1.1` }));
  await open((url) => Response.json(url.searchParams.get('after') === '7901.1.1' ? [{ ...rows[9], key: '1.5.1' }] : many));
  fireEvent.click(await screen.findByRole('button', { name: 'Show older changes' }));
  expect(await screen.findByText('Ordering closed')).toBeTruthy();
  expect(requested).toEqual(['?limit=100', '?after=7901.1.1&limit=100']);
  expect(screen.queryByRole('button', { name: 'Show older changes' })).toBeNull();
});

test('the audit page says why older changes cannot be loaded, and offers to try again', async () => {
  const many = Array.from({ length: 100 }, (_, index) => ({ ...rows[0], key: `${8000 - index}.1.1` }));
  let isAway = true;
  await open((url) => {
    if (!url.searchParams.has('after')) return Response.json(many);
    return isAway ? new Response('The database cannot be reached just now.', { status: 503 }) : Response.json([rows[9]]);
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Show older changes' }));
  expect(await screen.findByText('The database cannot be reached just now.')).toBeTruthy();
  isAway = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Ordering closed')).toBeTruthy();
  expect(screen.getByText('No older change is recorded.')).toBeTruthy();
});

test('the audit page downloads the whole audit trail; with a filter, a second link downloads the matching changes only (contract §10)', async () => {
  URL.createObjectURL = () => 'blob:file';
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  URL.revokeObjectURL = () => undefined;
  await open(() => Response.json(rows));
  await screen.findByRole('table', { name: 'Changes' });
  expect(screen.queryByRole('button', { name: 'Download filtered' })).toBeNull();
  fireEvent.change(screen.getByLabelText('Kind of change'), { target: { value: 'payment' } });
  fireEvent.click(await screen.findByRole('button', { name: 'Download filtered' }));
  await waitFor(() => expect(requested.at(-1)).toBe('?kind=payment&limit=1000'));
  fireEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
  await waitFor(() => expect(requested.at(-1)).toBe('?limit=1000'));
  vi.restoreAllMocks();
});

test('the audit page keeps the search text in the URL, sends it to the server, and says when no change matches', async () => {
  await open((url) => Response.json(url.searchParams.has('kind') || url.searchParams.has('person') ? [] : rows));
  await screen.findByRole('table', { name: 'Changes' });
  const kind = screen.getByLabelText<HTMLSelectElement>('Kind of change');
  expect(kind.selectedOptions[0]?.textContent).toBe('All kinds');
  fireEvent.change(kind, { target: { value: 'payment' } });
  fireEvent.change(screen.getByLabelText('Who or whose'), { target: { value: 'katz' } });
  fireEvent.change(screen.getByLabelText('Product, fee or payment'), { target: { value: 'no. 77' } });
  await waitFor(() => expect(location.search).toBe('?kind=payment&person=katz&text=no.+77'));
  expect(await screen.findByText('No change matches what you look for.')).toBeTruthy();
  expect(requested.at(-1)).toBe('?kind=payment&person=katz&text=no.+77&limit=100');
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  await screen.findByRole('table', { name: 'Changes' });
  await waitFor(() => expect(location.search).toBe(''));
});

test('the audit page keeps a search text in the URL that was typed just before the user has left the page, so that Back restores it (contract §10)', async () => {
  await open(() => Response.json(rows));
  await screen.findByRole('table', { name: 'Changes' });
  fireEvent.change(screen.getByLabelText('Product, fee or payment'), { target: { value: 'no. 77' } });
  fireEvent.click(screen.getByRole('link', { name: 'Back to Distribution' }));
  expect([location.pathname, location.search]).toEqual(['/distributor/distribution/9', '']);
  history.back();
  const field = await screen.findByLabelText<HTMLInputElement>('Product, fee or payment');
  expect([location.search, field.value]).toEqual(['?text=no.+77', 'no. 77']);
});

test('the audit page says why the audit trail cannot be loaded, and offers to try again', async () => {
  await open(() => new Response('The database cannot be reached just now.', { status: 503 }));
  expect(await screen.findByText('The database cannot be reached just now.')).toBeTruthy();
});

test('the audit page names "the clock" as the author when ordering closed automatically at the closing time, also in the file (contract §11)', () => {
  const row = {
    ...by,
    ...nothing,
    key: '1.5.1',
    kind: 'distribution',
    by: 'the clock',
    byRole: null,
    detail: { before: { orderingOpen: true }, after: { orderingOpen: false } },
  } as const;
  expect(AUDIT_COLUMNS.find(({ id }) => id === 'by')?.value(row)).toBe('the clock');
  expect(AUDIT_CSV.map((column) => column.value(row)).slice(1, 4)).toEqual(['the clock', null, 'Distribution']);
});
