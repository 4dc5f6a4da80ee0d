import 'fake-indexeddb/auto';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { makeOrder } from '../../../../test/data/order-rows.ts';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import { NetworkError, type Call } from '../../../client/api/fetch.ts';
import { setDeviceOwner } from '../../../client/storage/device-owner.ts';
import { cents } from '../../../domain/money.ts';
import { addWrites, allowCounterDb, changeWrites, readWrites, removeCounterDb } from '../../counter/device/counter-db.ts';
import { listDistributions } from '../../distributions/contract.ts';
import type { Row } from '../../../server/database/schema.ts';
import { TillsPage } from './tills-page.tsx';

const testApp = setupTestApp();
let distributor: Person;
let agent: Person;
let distribution: Row<'distributions'>;
let orderId: number;
beforeEach(async () => {
  freshDevice();
  distributor = await makeDistributor(testApp.db);
  agent = await makeAgent(testApp.db, distributor, { mayTakePayments: true });
  distribution = await makeDistribution(testApp.db, distributor, { name: 'Passover' });
  const wine = await makeProduct(testApp.db, distribution);
  ({ id: orderId } = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[wine, 9]]));
});

async function open(person: Person): Promise<void> {
  navigate(`/${person.role}/distribution/${distribution.id}/tills`);
  showScreen(await testApp.as(person), '/:role/distribution/:id/tills', TillsPage);
}
test('without a network, the tills page shows its heading and a message that the server could not be reached (contract §14)', async () => {
  const call = await testApp.as(agent);
  const unreachable = (async (...args: Parameters<Call>) => {
    if (args[0] === listDistributions) throw new NetworkError('The server could not be reached.');
    return await call(...args);
  }) as Call;
  navigate(`/agent/distribution/${distribution.id}/tills`);
  showScreen(unreachable, '/:role/distribution/:id/tills', TillsPage);
  expect(await screen.findByText('The server could not be reached.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Tills' })).toBeTruthy();
});

const button = async (name: string) => await screen.findByRole('button', { name, hidden: true });
const type = (label: string, value: string): void => void fireEvent.change(screen.getByLabelText(label), { target: { value } });
const pay = (payload: object) => testApp.request(agent, { method: 'POST', url: `/api/orders/${orderId}/payments`, payload });
const storedTill = () => testApp.db.selectFrom('tills').select('closedAt').where('distributionId', '=', distribution.id).executeTakeFirst();
const cells = () => [...document.querySelectorAll('tbody tr')].map((row) => [...row.children].map(({ textContent }) => textContent));

test('the tills page lets an agent open and close a till, and shows the expected amounts after the count (contract §15)', async () => {
  await open(agent);
  fireEvent.click(await button('Open my till'));
  type('Float', 'ten');
  fireEvent.submit(screen.getByLabelText('Float'));
  expect(await screen.findByText('Type an amount in dollars, such as 5.00')).toBeTruthy();
  type('Float', '100');
  fireEvent.submit(screen.getByLabelText('Float'));
  expect(await screen.findByText(`Till of ${agent.email}`)).toBeTruthy();
  await pay({ amount: 1250, paymentMethod: 'Cash' });
  expect(document.body.textContent).not.toContain('$112.50');
  fireEvent.click(await button(`Close till of ${agent.email}`));
  type('Counted cash', '-1');
  fireEvent.submit(screen.getByLabelText('Counted cash'));
  expect(await screen.findByText('Counted cash must be non-negative')).toBeTruthy();
  type('Counted cash', '112,00');
  fireEvent.submit(screen.getByLabelText('Counted cash'));
  expect(await screen.findByText('Cash: $0.50 missing')).toBeTruthy();
  expect((await storedTill())?.closedAt).toBeNull();
  fireEvent.click(await button('Close with this difference'));
  expect(await screen.findByText('$0.50 missing')).toBeTruthy();
  await waitFor(() => expect(cells()[0]).toEqual(['Cash', '$112.50', '$112.00', '-$0.50']));
  expect(screen.queryByText('Sum of all tills')).toBeNull();
});

test('the tills page closes a till without a confirmation when the counts are as expected; the user must type the count of each method that has payments (contract §15)', async () => {
  await testApp.request(agent, { method: 'POST', url: '/api/tills', payload: { distributionId: distribution.id, float: 10_000 } });
  await pay({ amount: 300, paymentMethod: 'Check', description: 'No. 7' });
  await open(agent);
  fireEvent.click(await button(`Close till of ${agent.email}`));
  const values = ['checks', 'card payments', 'other payments'].map((of) => screen.getByLabelText<HTMLInputElement>(`Counted ${of}`).value);
  expect(values).toEqual(['', '0.00', '0.00']);
  type('Counted cash', '100');
  fireEvent.submit(screen.getByLabelText('Counted cash'));
  expect(await screen.findByText('Type an amount in dollars, such as 5.00')).toBeTruthy();
  type('Counted checks', '2');
  fireEvent.submit(screen.getByLabelText('Counted cash'));
  expect(await screen.findByText('Check: $1.00 missing')).toBeTruthy();
  fireEvent.click(await button('Count again'));
  expect((await storedTill())?.closedAt).toBeNull();
  type('Counted checks', '3');
  fireEvent.submit(screen.getByLabelText('Counted cash'));
  await screen.findByText('Nothing is missing.');
  expect((await storedTill())?.closedAt).not.toBeNull();
});

test('the tills page asks before it closes a till whose payments wait on this device (contract §14, §15)', async () => {
  await testApp.request(agent, { method: 'POST', url: '/api/tills', payload: { distributionId: distribution.id, float: 0 } });
  await removeCounterDb();
  allowCounterDb();
  setDeviceOwner(agent.id);
  const write = { kind: 'payment', amount: cents(300), feeAmount: cents(0), paymentMethod: 'Cash', description: null } as const;
  const place = { userId: agent.id, role: 'agent', distributionId: distribution.id, orderId, at: new Date().toISOString() } as const;
  await addWrites([
    { ...place, key: 'of this till', write },
    { ...place, key: 'of another distribution', distributionId: distribution.id + 1, write },
    { ...place, key: 'of another person', userId: distributor.id, write },
    { ...place, key: 'no payment', write: { kind: 'picked-up', pickedUp: true } },
  ]);
  // The test marks the entries as refused, because the device keeps refused entries. It could send waiting entries at any time during the
  // test.
  await changeWrites(await readWrites(), (stored) => ({ ...stored, status: 'refused', reason: 'Paid already' }));
  await open(agent);
  fireEvent.click(await button(`Close till of ${agent.email}`));
  type('Counted cash', '0');
  fireEvent.submit(screen.getByLabelText('Counted cash'));
  expect(await screen.findByText(/^1 payment of this till is still on this device/)).toBeTruthy();
  expect((await storedTill())?.closedAt).toBeNull();
  fireEvent.click(await button('Close without them'));
  await screen.findByText('Nothing is missing.');
  expect((await storedTill())?.closedAt).not.toBeNull();
});

test('the tills page shows the distributor all tills, the payments without a till and the sum of all payments, and prints the same figures (contract §15)', async () => {
  await pay({ amount: 300, paymentMethod: 'Check', description: 'No. 7' });
  await testApp.request(agent, { method: 'POST', url: '/api/tills', payload: { distributionId: distribution.id, float: 10_000 } });
  await pay({ amount: 1000, paymentMethod: 'Credit Card', description: 'Visa', feeAmount: 20 });
  await open(distributor);
  await screen.findByText('Sum of all tills');
  const sums = [
    ['In tills, without floats', '$0.00', '$0.00', '$10.20', '$0.00', '$10.20'],
    ['Without a till', '$0.00', '$3.00', '$0.00', '$0.00', '$3.00'],
    ['All payments, with card fees', '$0.00', '$3.00', '$10.20', '$0.00', '$13.20'],
  ];
  expect(cells()).toEqual(sums);
  dispatchEvent(new Event('beforeprint'));
  await screen.findByText('Tills of Passover');
  const printed = document.querySelector('.print-sheet')?.textContent ?? '';
  for (const text of [`Till of ${agent.email}`, '$100.00', ...sums.flat()]) expect(printed).toContain(text);
});
