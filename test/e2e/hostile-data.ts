// Creates data in which every string that a user can write is an attack with a script (a payload). npm run hostile-texts uses all 150
// payloads, and npm test uses a sample.
import { cents } from '../../src/domain/money.ts';
import { makeTenant } from '../calls.ts';
import { makeAdmin, makeAgent, makeCustomer, makeDistributor, makeProduct, makeFee } from '../data/factories.ts';
import { XSS_PAYLOADS } from '../fixtures/xss-payloads.ts';
import { makeOrder, pay, weigh } from '../data/order-rows.ts';
import { sampleOf } from '../setup/sampling.ts';
import type { Person } from '../test-app.ts';
import type { TestDb } from '../database/test-db.ts';

/** The payloads of this test run. Their number is even, because every second product is sold by estimated weight. */
export const PAYLOADS = sampleOf(XSS_PAYLOADS, 24);
export const payload = (index: number): string => PAYLOADS[index % PAYLOADS.length] ?? '';
const ofEach = <Made>(make: (index: number) => Made): Made[] => PAYLOADS.map((_, index) => make(index));
const emailOf = (index: number): string => `${payload(index).toLowerCase()}@x.test`;

const CONTACT = (index: number) => ({
  firstName: payload(index),
  lastName: payload(index + 1),
  address: payload(index + 2),
  city: payload(index + 3),
  state: payload(index + 4),
  zip: payload(index + 5),
  phone: payload(index + 6),
});

/** Creates a distributor and customers. The data of the organization and the contacts of the customers consist of payloads. */
export async function hostilePeople(db: TestDb) {
  const distributor = await makeDistributor(db);
  const { firstName: _, lastName: name, ...place } = CONTACT(0);
  await db
    .insertInto('organizations')
    .values({ distributorId: distributor.id, joinCode: 'feast-4711', name, ...place })
    .execute();
  const customers = [];
  for (const contact of ofEach(CONTACT)) customers.push(await makeCustomer(db, distributor, contact));
  return { distributor, customers, first: customers[0] ?? distributor };
}

/**
 * Creates one distribution for each payload, and fills the first four. `sale` has every product, and `groups` has every product group.
 * `feeful` has every fee and one product with a limit, and `crowd` has one product. Every customer has an order in `sale` and one in
 * `crowd`, and waits for the product of `feeful`. The first customer's order in `sale` contains every product.
 */
export async function hostileSale(db: TestDb, { distributor, customers }: { distributor: Person; customers: readonly Person[] }) {
  const ids = { distributorId: distributor.id, date: '2027-04-15', published: true, acceptActuals: true };
  const distributions = await db
    .insertInto('distributions')
    .values(ofEach((index) => ({ ...ids, name: payload(index) })))
    .returningAll()
    .execute();
  const [sale, groups, feeful, crowd] = distributions;
  if (!sale || !groups || !feeful || !crowd) throw new Error('no payloads');
  const products = [];
  for (const index of PAYLOADS.keys()) {
    const text = { name: payload(index), description: payload(index + 1), uom: payload(index + 2), product_group: payload(0) };
    products.push(await makeProduct(db, sale, { ...text, unit_qty_is_estimate: index % 2 === 0, product_code: 5000 + index }));
    await makeProduct(db, groups, { product_group: payload(index) });
    await makeFee(db, feeful, { name: payload(index), amount: 1 });
  }
  await makeFee(db, sale, { name: payload(7) });
  const scarce = await makeProduct(db, feeful, { total_limit: 1 });
  const shared = await makeProduct(db, crowd);
  const entry = { distributorId: distributor.id, distributionId: feeful.id, productId: scarce.id, quantity: 1 };
  await db
    .insertInto('waiting_list')
    .values(customers.map(({ id: customerId }) => ({ ...entry, customerId })))
    .execute();
  const orders = [];
  for (const [index, customer] of customers.entries()) {
    await makeOrder(db, crowd, customer, [[shared, 1]]);
    const lines = index === 0 ? products : products.slice(index, index + 1);
    orders.push(
      await makeOrder(
        db,
        sale,
        customer,
        lines.map((product) => [product, 1] as const),
      ),
    );
  }
  const [order, , third] = orders;
  if (!order) throw new Error('no customers');
  // The dialog that copies a distribution lists the estimates only if something was weighed.
  await weigh(db, third?.lines[0], [1], distributor);
  for (const index of PAYLOADS.keys()) {
    const payment = { paymentMethod: 'Check' as const, description: payload(index), feeAmount: cents(0) };
    await pay(db, sale, { ...payment, orderId: order.id, amount: 1, by: distributor });
  }
  return { sale, groups, feeful, crowd, products, order };
}

/** All strings of another distributor contain this word, so no screen of these tests may show it. */
export const FOREIGN_WORD = 'Zzforeign';

/** Creates all data that the screens show, including e-mail addresses with payloads, a log of e-mails and an audit trail. */
export async function hostileScreens(db: TestDb) {
  const people = await hostilePeople(db);
  const { distributor, customers } = people;
  const shown = await hostileSale(db, people);
  await makeTenant(db, FOREIGN_WORD);
  const admin = await makeAdmin(db);
  const agent = await makeAgent(db, distributor);
  await db
    .insertInto('users')
    .values(ofEach((index) => ({ email: `o${emailOf(index)}`, role: 'distributor' as const })))
    .execute();
  const agents = await db
    .insertInto('users')
    .values(ofEach((index) => ({ email: `a${emailOf(index)}`, role: 'agent' as const, distributorId: distributor.id })))
    .returning('id')
    .execute();
  const till = { distributorId: distributor.id, distributionId: shown.sale.id, float: cents(0) };
  await db
    .insertInto('tills')
    .values(agents.map(({ id: userId }) => ({ ...till, userId })))
    .execute();
  for (const [index, { id }] of customers.entries()) {
    if (index > 0)
      await db
        .updateTable('users')
        .set({ email: emailOf(index) })
        .where('id', '=', id)
        .execute();
  }
  const mail = { from: '', html: '', kind: 'bulk', status: 'failed', distributorId: distributor.id } as const;
  await db
    .insertInto('emails')
    .values(ofEach((index) => ({ ...mail, subject: payload(index), response: payload(index + 1), to: emailOf(index + 2) })))
    .execute();
  await db
    .insertInto('order_product_audit')
    .values(
      shown.order.lines.map(({ id: orderProductId }, index) => ({
        orderProductId,
        quantity: 1,
        updatedBy: customers[index]?.id ?? distributor.id,
      })),
    )
    .execute();
  const change = { distributorId: distributor.id, distributionId: shown.sale.id, updatedBy: distributor.id, before: null };
  const after = (index: number) => JSON.stringify({ name: payload(index), type: 'flat', amount: 1, sort_order: 0 });
  await db
    .insertInto('catalogue_audit')
    .values(ofEach((index) => ({ ...change, feeId: index + 1, name: payload(index), after: after(index) })))
    .execute();
  return { ...people, ...shown, admin, agent };
}
export type HostileScreens = Awaited<ReturnType<typeof hostileScreens>>;
