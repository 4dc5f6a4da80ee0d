import { cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { makeOrder } from '../../../../test/data/order-rows.ts';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import type { Row } from '../../../server/database/schema.ts';
import { longDate } from '../../../shared/dates.ts';
import { saveTimeZoneOf } from '../../organization/queries.ts';
import { PrintOrdersPage } from '../print-orders-page.tsx';
import { sheetsOf } from './pick-up-orders.ts';
import { PickUpPrintPage } from './pick-up-print-page.tsx';

const testApp = setupTestApp();
let distributor: Person;
let distribution: Row<'distributions'>;
/** The ids of two orders: first the order of Adler, which has the later pick-up time, then the order of Baum. */
let orders: number[];
beforeEach(async () => {
  freshDevice();
  window.print = () => undefined;
  Object.defineProperty(document, 'fonts', { value: { ready: Promise.resolve() }, configurable: true });
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
  const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', unit_qty_is_estimate: true });
  const wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
  orders = [];
  for (const lastName of ['Adler', 'Baum']) {
    const customer = await makeCustomer(testApp.db, distributor, { lastName, firstName: '' });
    const { id } = await makeOrder(testApp.db, distribution, customer, [
      [brisket, 3],
      [wine, 2],
    ]);
    orders.push(id);
  }
});

async function slotOf(orderId: number | undefined, startsAt: string, label: string): Promise<void> {
  const place = { distributorId: distributor.id, distributionId: distribution.id };
  const slot = await testApp.db
    .insertInto('slots')
    .values({ ...place, label, startsAt, capacity: 9 })
    .returning('id')
    .executeTakeFirstOrThrow();
  await testApp.db
    .updateTable('orders')
    .set({ slotId: slot.id, note: `Note of ${label}` })
    .where('id', '=', orderId ?? 0)
    .execute();
}

async function open(): Promise<void> {
  navigate(`/distributor/distribution/${distribution.id}/pick-up-print`);
  showScreen(await testApp.as(distributor), '/distributor/distribution/:id/pick-up-print', PickUpPrintPage);
  await screen.findByText('2 orders');
  dispatchEvent(new Event('beforeprint'));
}
const printed = () => document.querySelector('.print-sheet');
const texts = (selector: string) => [...(printed()?.querySelectorAll(selector) ?? [])].map(({ textContent }) => textContent);
const choose = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));

test('the pick-up print page prints a pick-up sheet for each order, sorted by name, with number, QR code and a box for each unit to weigh (contract §14)', async () => {
  await open();
  expect(texts('.pick-up-number')).toEqual(orders.map(String));
  expect(screen.queryByRole('button', { name: 'By pick-up time' })).toBeNull();
  const [sheet] = document.querySelectorAll('.pick-up-sheet');
  const named = [...(sheet?.querySelectorAll('[aria-label]') ?? [])].map((element) => element.getAttribute('aria-label'));
  expect(named).toEqual([
    `Code of order ${orders[0]}`,
    'Weight of unit 1 of 3',
    'Weight of unit 2 of 3',
    'Weight of unit 3 of 3',
    'Box to tick',
  ]);
});

test('the pick-up print page prints the name and the date of the distribution in the head of each pick-up sheet (contract §14)', async () => {
  await open();
  const heads = texts('.pick-up-sheet header');
  expect(heads).toHaveLength(2);
  for (const head of heads) expect(head).toContain(`${distribution.name} · ${longDate(distribution.date)}`);
});

test('the pick-up print page sorts the sheets by pick-up time or by name, and prints time and note on each sheet (contract §14, §16)', async () => {
  await slotOf(orders[0], '2027-04-22T18:00:00.000Z', 'Evening');
  await slotOf(orders[1], '2027-04-22T08:00:00.000Z', 'Morning');
  await open();
  expect(texts('.pick-up-number')).toEqual([String(orders[1]), String(orders[0])]);
  expect(printed()?.textContent).toContain('Pick-up: Morning, Thu, Apr 22, 8:00 AM UTCNote of Morning');
  choose('By name');
  expect(texts('.pick-up-number')).toEqual(orders.map(String));
});

test('the pick-up print page prints labels for the label sheets Avery 5160 and L7160, one per order or one per unit to weigh (contract §14)', async () => {
  await open();
  choose('Labels');
  expect(texts('.labels-5160 .label-number')).toEqual(orders.map(String));
  choose('Per unit to weigh');
  choose('Avery L7160 (A4)');
  expect(screen.getByText(/^6 labels\./)).toBeTruthy();
  expect(texts('.labels-L7160 .label p')).toEqual(
    orders.flatMap((id, index) => [1, 2, 3].flatMap((unit) => [String(id), index === 0 ? 'Adler' : 'Baum', `Brisket ${unit}/3`])),
  );
});

test('a label for a unit to weigh distinguishes products of the same name (contract §14)', async () => {
  for (const description of ['First cut', 'Second cut']) {
    const lamb = { name: 'Lamb', description, unit_qty_is_estimate: true };
    const customer = await makeCustomer(testApp.db, distributor, { lastName: `${description} family` });
    await makeOrder(testApp.db, distribution, customer, [[await makeProduct(testApp.db, distribution, lamb), 1]]);
  }
  navigate(`/distributor/distribution/${distribution.id}/pick-up-print?paper=labels&per=unit`);
  showScreen(await testApp.as(distributor), '/distributor/distribution/:id/pick-up-print', PickUpPrintPage);
  await screen.findByText(/^8 labels/);
  dispatchEvent(new Event('beforeprint'));
  expect(texts('.label p')).toEqual(expect.arrayContaining(['Lamb, First cut 1/1', 'Lamb, Second cut 1/1']));
});

test('the pick-up print page prints on each label the pick-up time in the time zone of the organization (contract §14, §16)', async () => {
  await saveTimeZoneOf(testApp.db, distributor.id, 'America/New_York');
  await slotOf(orders[0], '2027-04-22T18:00:00.000Z', 'Evening');
  await open();
  choose('Labels');
  expect(texts('.label p')).toContain('Evening Thu, Apr 22, 2:00 PM');
});

test('the pick-up print page prints 30 labels on a sheet of Avery 5160 and 21 labels on a sheet of L7160 (contract §14)', async () => {
  const lamb = await makeProduct(testApp.db, distribution, { name: 'Lamb', unit_qty_is_estimate: true });
  const customer = await makeCustomer(testApp.db, distributor, { lastName: 'Adler', firstName: '' });
  await makeOrder(testApp.db, distribution, customer, [[lamb, 40]]);
  navigate(`/distributor/distribution/${distribution.id}/pick-up-print?paper=labels&per=unit`);
  showScreen(await testApp.as(distributor), '/distributor/distribution/:id/pick-up-print', PickUpPrintPage);
  await screen.findByText(/^46 labels/);
  dispatchEvent(new Event('beforeprint'));
  const labelsOnSheets = (sheet: string) =>
    [...document.querySelectorAll(`.labels-${sheet}`)].map((one) => one.querySelectorAll('.label').length);
  expect(labelsOnSheets('5160')).toEqual([30, 16]);
  choose('Avery L7160 (A4)');
  expect(labelsOnSheets('L7160')).toEqual([21, 21, 4]);
});

test.each([
  [0, 30, []],
  [30, 30, [30]],
  [31, 30, [30, 1]],
  [43, 21, [21, 21, 1]],
])('%d labels are printed on label sheets with %d labels each', (labels, perSheet, sheets) => {
  expect(sheetsOf(Array.from({ length: labels }), perSheet).map(({ length }) => length)).toEqual(sheets);
});

test('the print of an order has its pick-up time and its note with the line breaks, or neither when the order has none (contract §16)', async () => {
  await saveTimeZoneOf(testApp.db, distributor.id, 'America/New_York');
  await slotOf(orders[0], '2027-04-22T18:00:00.000Z', 'Evening\nRing twice');
  navigate(`/distributor/distribution/${distribution.id}/print-orders`);
  showScreen(await testApp.as(distributor), '/distributor/distribution/:id/print-orders', PrintOrdersPage);
  const note = await screen.findByText(/^Note of Evening\s+Ring twice$/);
  expect(note.className).toContain('whitespace-pre-line');
  expect(screen.getAllByText(/^Pick-up: /).map(({ textContent }) => textContent)).toEqual([
    'Pick-up: Evening\nRing twice, Thu, Apr 22, 2:00 PM',
  ]);
  cleanup();
  await open();
  expect(screen.getByText(/^Note of Evening\s+Ring twice$/).className).toContain('whitespace-pre-line');
});

test("the print of every order has the order's own QR code (contract §14)", async () => {
  navigate(`/distributor/distribution/${distribution.id}/print-orders`);
  showScreen(await testApp.as(distributor), '/distributor/distribution/:id/print-orders', PrintOrdersPage);
  expect(await screen.findByLabelText(`Code of order ${orders[0]}`)).toBeTruthy();
  expect(screen.getByLabelText(`Code of order ${orders[1]}`)).toBeTruthy();
});
