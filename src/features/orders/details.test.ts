// Tests that notes and pick-up times appear on the screens and in the files of staff and customers (contract §16).
import { beforeEach, expect, test } from 'vitest';
import type { Row } from '../../server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct, makeSlot } from '../../../test/data/factories.ts';
import { mailFolder } from '../../../test/mail/outbox.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { saveTimeZone } from '../organization/contract.ts';
import { readCustomerReport, readReport } from '../reports/contract.ts';
import { BY_CUSTOMER_CSV, customersCsv, withDetailsCsv } from '../reports/csv.ts';
import { placeOrder } from './contract.ts';

const testApp = setupTestApp();
const folder = mailFolder(testApp);
let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  await testApp.db.deleteFrom('emails').execute();
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
});

async function order(details: object): Promise<void> {
  const product = await makeProduct(testApp.db, distribution);
  const products = [{ productId: product.id, quantity: 1 }];
  await (
    await testApp.as(customer)
  )(placeOrder, { body: { distributionId: distribution.id, products, ...details } });
}
const customerRows = async () => await (await testApp.as(distributor))(readCustomerReport, { params: { id: distribution.id } });
const lines = async () => await (await testApp.as(distributor))(readReport, { params: { id: distribution.id } });
const headers = (columns: readonly { readonly header: string }[]) => columns.map(({ header }) => header);

test('the pick-up time and the note of an order appear in the customers list, the packing list, the files of both lists and the confirmation (contract §16)', async () => {
  await (
    await testApp.as(distributor)
  )(saveTimeZone, { body: { timeZone: 'America/New_York' } });
  const slot = await makeSlot(testApp.db, distribution, { label: 'Sunday morning', startsAt: '2027-04-18T13:00:00Z' });
  await order({ note: 'No bones, please', slotId: slot.id });
  const details = { slot: 'Sunday morning, Sun, Apr 18, 9:00 AM', note: 'No bones, please' };
  expect(await customerRows()).toMatchObject([details]);
  expect(await lines()).toMatchObject([details]);
  expect(headers(customersCsv(await customerRows())).slice(-2)).toEqual(['Pick-up time', 'Note']);
  const packing = withDetailsCsv(BY_CUSTOMER_CSV, await lines());
  expect(headers(packing).slice(-2)).toEqual(['Pick-up time', 'Note']);
  const [line] = await lines();
  expect(packing.slice(-2).map((column) => line && column.value(line))).toEqual([details.slot, details.note]);
  const [mail] = await folder.send();
  for (const part of [mail?.html, mail?.text]) {
    expect(part).toContain('Pick-up: Sunday morning, Sun, Apr 18, 9:00 AM.');
    expect(part).toContain('Your note: No bones, please');
  }
});

test('pick-up time and note appear in no list, file or confirmation when no order has them (contract §16)', async () => {
  await order({});
  const [row] = await customerRows();
  expect(Object.keys(row ?? {}).filter((name) => ['slot', 'note'].includes(name))).toEqual([]);
  expect(headers(customersCsv(await customerRows())).at(-1)).toBe('Balance');
  expect(headers(withDetailsCsv(BY_CUSTOMER_CSV, await lines())).at(-1)).toBe('Units');
  const [mail] = await folder.send();
  expect(mail?.text).not.toMatch(/Pick-up|note/);
  expect(mail?.text).toContain('You can change it until ordering is closed.');
});

test('a confirmation contains the time until which the order can be changed (contract §11)', async () => {
  await testApp.db.updateTable('distributions').set({ closesAt: '2030-04-02T00:00:00Z' }).where('id', '=', distribution.id).execute();
  await order({});
  const [mail] = await folder.send();
  expect(mail?.text).toContain('Order until Tue, Apr 2, 12:00 AM UTC: you can change it until then.');
});
