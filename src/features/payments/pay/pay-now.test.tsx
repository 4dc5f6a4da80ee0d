import { QueryClientProvider } from '@tanstack/react-query';
import { createEvent, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { makeOrder, weigh } from '../../../../test/data/order-rows.ts';
import { pressOnBusyPage, readNothing, readScreen } from '../../../../test/screen.tsx';
import { setupTestApp } from '../../../../test/test-app.ts';
import { NetworkError, type Call } from '../../../client/api/fetch.ts';
import { dismissToasts } from '../../../client/toasts/toast.ts';
import { Toaster } from '../../../client/toasts/toaster.tsx';
import { CallContext, makeQueryClient, useRead } from '../../../client/api/use-calls.ts';
import { cents } from '../../../domain/money.ts';
import { readCustomerReport } from '../../reports/contract.ts';
import { PayButton, PayDialogs, useRowPayments } from './pay-button.tsx';
import { PayNow } from './pay-now.tsx';

const testApp = setupTestApp();

/**
 * What happens to the next requests, in this sequence. A 'lost' request reaches the server but its response is lost; a 'stopped' request
 * does not reach the server.
 */
let fates: ('lost' | 'stopped')[];

beforeEach(() => {
  dismissToasts();
  fates = [];
  // After a key, no click counts as the second one of a double click.
  fireEvent.keyDown(document.body, { key: 'Shift' });
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
});

/** Renders the order with its Pay Now button, or as a row of the customers table. */
function Order({ distributionId, isRow }: { distributionId: number; isRow: boolean }): ReactNode {
  const payments = useRowPayments();
  const [row] = useRead(readCustomerReport, { id: distributionId }).data ?? [];
  if (!row) return null;
  const orderId = row.order_id ?? 0;
  const order = { customer: 'Rivka', balance: row.balance, isReady: row.has_all_actuals };
  const unconfirmed = row.unconfirmed_count;
  if (!isRow) return <PayNow {...order} orderId={orderId} unconfirmed={unconfirmed} />;
  return (
    <>
      <PayButton {...order} row={0} onPay={() => payments.pay(orderId)} />
      <PayDialogs payments={payments} orders={[{ ...order, orderId, unconfirmed }]} />
    </>
  );
}

/** Creates an order of $20.00 and opens its payment dialog. The customer has entered `weights`. */
async function openDialog(
  sold: Parameters<typeof makeProduct>[2] = {},
  weights: readonly number[] = [],
  { isRow = false } = {},
): Promise<void> {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const wine = await makeProduct(testApp.db, distribution, sold);
  const customer = await makeCustomer(testApp.db, distributor);
  const order = await makeOrder(testApp.db, distribution, customer, [[wine, 2]]);
  await weigh(testApp.db, order.lines[0], weights, customer);
  const call = await testApp.as(distributor);
  const unsteady: Call = async (endpoint, ...args) => {
    const fate = fates.shift();
    if (fate === 'stopped') throw new NetworkError('No connection.');
    const reply = await call(endpoint, ...args);
    if (fate === 'lost') throw new NetworkError('No connection.');
    return reply;
  };
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <CallContext value={unsteady}>
        <Order distributionId={distribution.id} isRow={isRow} />
        <Toaster />
      </CallContext>
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: isRow ? 'Record payment of Rivka' : 'Pay Now' }));
}

const dialog = () => within(screen.getByRole('dialog'));
const amount = () => dialog().getByLabelText<HTMLInputElement>('Amount');
const pay = (): void => void fireEvent.click(dialog().getByRole('button', { name: 'Pay Now' }));
async function payAmount(value: string): Promise<void> {
  fireEvent.change(amount(), { target: { value } });
  pay();
  await screen.findByText('No connection.');
}
const balanceIs = (balance: string) => waitFor(() => expect(dialog().getByText(`Rivka · Balance ${balance}`)).toBeTruthy());
const amounts = async () => (await testApp.db.selectFrom('payments').select('amount').orderBy('id').execute()).map((row) => row.amount);
/** Records a payment in cash of the order, as another station. */
async function payElsewhere(amount: number): Promise<void> {
  const {
    id: orderId,
    distributionId,
    distributorId,
  } = await testApp.db
    .selectFrom('orders')
    .select(['id', 'distributionId', 'distributorId'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  await testApp.db
    .insertInto('payments')
    .values({
      distributorId,
      distributionId,
      orderId,
      amount: cents(amount),
      paymentMethod: 'Cash',
      createdBy: distributorId,
      updatedBy: distributorId,
    })
    .execute();
}
const ANSWER_LOST =
  'The answer to your payment was lost, and the balance has changed since: it is probably recorded. Look at the payments before you pay again.';

test('after a lost response, the Pay Now dialog shows the current balance and sends the next payment as a new one (spec §4; contract §2)', async () => {
  await openDialog();
  fates = ['lost'];
  await payAmount('10.00');
  await balanceIs('$10.00');
  expect(amount().value).toBe('10.00');
  expect(dialog().getByText(ANSWER_LOST)).toBeTruthy();
  expect(await amounts()).toEqual([1000]);
  // The note replaces the error, which asks to try again.
  await waitFor(() => expect(screen.queryByText('No connection.')).toBeNull());
  await readScreen();
  pay();
  expect(await screen.findByText('Payment successful')).toBeTruthy();
  expect(await amounts()).toEqual([1000, 1000]);
});

test('the Pay Now dialog repeats the same payment with the same idempotency key while the balance cannot be read (contract §2)', async () => {
  await testApp.db.deleteFrom('payments').execute();
  await openDialog();
  fates = ['lost', 'stopped'];
  await payAmount('10.00');
  await waitFor(() => expect(fates).toEqual([]));
  expect(dialog().queryByText(ANSWER_LOST)).toBeNull();
  await balanceIs('$20.00');
  dismissToasts();
  pay();
  expect(await screen.findByText('Payment successful')).toBeTruthy();
  expect(await amounts()).toEqual([1000]);
});

test('the Pay Now dialog closes with an error toast when somebody else has paid the balance', async () => {
  await openDialog();
  await payElsewhere(2000);
  pay();
  await screen.findByText('409:', { exact: false });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

/** Types a payment of $15.00. Another station has recorded $8.00 of $20.00 meanwhile, so the first press of Pay Now is refused. */
async function payTooMuch(press: () => void, { isRow = false } = {}): Promise<void> {
  await testApp.db.deleteFrom('payments').execute();
  await openDialog({}, [], { isRow });
  fireEvent.change(amount(), { target: { value: '15' } });
  await payElsewhere(800);
  press();
  await balanceIs('$12.00');
}

/** Presses Enter in the field of the amount. A browser then submits the form, unless the page prevents it. */
const pressEnter = (): void => {
  if (fireEvent.keyDown(amount(), { key: 'Enter' })) fireEvent.submit(amount());
};

test.each([
  ['Enters', pressEnter],
  ['clicks', pay],
])(
  'of two quick %s in the Pay Now dialog, of which the first is refused because another station has recorded a payment, the second one pays nothing (reliability abuse)',
  async (_, press) => {
    readNothing();
    await payTooMuch(press);
    press();
    await readScreen();
    expect([await amounts(), amount().value]).toEqual([[800], '12.00']);
    press();
    expect(await screen.findByText('Payment successful')).toBeTruthy();
    expect(await amounts()).toEqual([800, 1200]);
  },
);

test('the second of two quick Enters in the Pay Now dialog, of which the first is refused, pays nothing on a busy device, which handles the key late (reliability abuse)', async () => {
  readNothing();
  await payTooMuch(pressEnter);
  if (pressOnBusyPage(amount(), 'Enter')) fireEvent.submit(amount());
  await readScreen();
  expect([await amounts(), amount().value]).toEqual([[800], '12.00']);
});

test('an Enter key that stays held down in the Pay Now dialog after a refusal pays nothing (reliability abuse)', async () => {
  await payTooMuch(pressEnter);
  await readScreen();
  if (fireEvent.keyDown(amount(), { key: 'Enter', repeat: true })) fireEvent.submit(amount());
  await readScreen();
  expect([await amounts(), amount().value]).toEqual([[800], '12.00']);
});

test.each([
  ['an order', false],
  ['the customers table', true],
])(
  'the second click of a double click on Pay Now in %s, of which the first is refused, pays nothing (reliability abuse)',
  async (_, isRow) => {
    const click = (detail: number): void => {
      const button = dialog().getByRole('button', { name: 'Pay Now' });
      const event = createEvent.click(button, { detail });
      Object.defineProperty(event, 'pointerType', { value: 'mouse' });
      fireEvent(button, event);
    };
    await payTooMuch(() => click(1), { isRow });
    click(2);
    await readScreen();
    expect(await amounts()).toEqual([800]);
    click(1);
    expect(await screen.findByText(isRow ? 'Payment recorded successfully' : 'Payment successful')).toBeTruthy();
    expect(await amounts()).toEqual([800, 1200]);
  },
);

test('the Pay Now dialog allows no payment before all weights are entered, and says why (spec §4, §5)', async () => {
  await testApp.db.deleteFrom('payments').execute();
  await openDialog({ unit_qty_is_estimate: true });
  expect(dialog().getByText('A payment can be recorded once all the weights are entered.')).toBeTruthy();
  pay();
  expect(await screen.findByText('Payment is disabled')).toBeTruthy();
  expect(screen.getByText('Are all the weights entered?')).toBeTruthy();
  expect(await amounts()).toEqual([]);
});

test.each([
  { balance: -18_708, isReady: true, reason: 'Refund due' },
  { balance: -18_708, isReady: false, reason: 'Not all weighed' },
  { balance: 0, isReady: true, reason: 'Nothing due' },
])(
  'beside the disabled button of a row with a balance of $balance cents, the reason is $reason (spec §5)',
  ({ balance, isReady, reason }) => {
    render(<PayButton customer="Rivka" row={0} balance={cents(balance)} isReady={isReady} onPay={() => {}} />);
    expect(screen.getByRole<HTMLButtonElement>('button').disabled).toBe(true);
    expect(screen.getByText(reason)).toBeTruthy();
  },
);

test("the Pay Now dialog lists the customer's unconfirmed weights before the payment (contract §6)", async () => {
  await testApp.db.deleteFrom('payments').execute();
  await openDialog({ unit_qty_is_estimate: true }, [0.51, 0.51]);
  const note = '2 weights entered by the family and not confirmed by the distributor yet: look at them before you take the money.';
  expect(dialog().getByText(note)).toBeTruthy();
  pay();
  expect(await screen.findByText('Payment successful')).toBeTruthy();
});
