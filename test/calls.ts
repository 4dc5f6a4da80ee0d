// Creates two tenants with the same data, and valid path ids and bodies for every call. The permission tests send every call of src/api.ts
// with these ids and bodies. A permission test fails if a call has no ids or body in this file.
import type { Role } from '../src/domain/accounts/roles.ts';
import { hashPassword } from '../src/server/auth/password.ts';
import type { Row } from '../src/server/database/schema.ts';
import { TEXT_PARAMS, type Endpoint } from '../src/shared/endpoint.ts';
import {
  makeAdmin,
  makeAgent,
  makeCustomer,
  makeDistribution,
  makeDistributor,
  makeFee,
  makeImage,
  makeProduct,
  makeUploads,
} from './data/factories.ts';
import { makeOrder, pay } from './data/order-rows.ts';
import { SECOND_FACTOR_CALLERS, secondFactorBodies } from './data/second-factors.ts';
import { makeScarceRecords, SCARCE_BODIES, SCARCE_CALLERS, type ScarceRecords } from './data/scarce-records.ts';
import type { Person } from './test-app.ts';
import type { TestDb } from './database/test-db.ts';

export interface Tenant extends ScarceRecords {
  readonly people: Record<Role, Person>;
  readonly distribution: Row<'distributions'>;
  readonly draft: Row<'distributions'>;
  readonly closed: Row<'distributions'>;
  readonly product: Row<'products'>;
  /** A product of the draft distribution. Nobody has ordered it. */
  readonly draftProductId: number;
  /** A finished upload that changed no product. */
  readonly uploadId: number;
  /** An upload that has created no customer yet. */
  readonly customerUploadId: number;
  readonly fee: Row<'fees'>;
  readonly orderId: number;
  /** The weighed line of the order `orderId`. */
  readonly weighedLineId: number;
  /** An order of another customer. It contains no product that is sold by weight, and is partly paid. */
  readonly paid: { readonly orderId: number; readonly paymentId: number };
  readonly tillId: number;
  /** A mail that could not be sent. */
  readonly mailId: number;
  readonly spareCustomerId: number;
  /** A distributor without customers or agents. The admin's calls change this distributor. */
  readonly spareDistributorId: number;
  /** A passkey's id for each role that may have passkeys. The field is present only if `withSecondFactors` was called. */
  readonly passkeyIds?: Readonly<Partial<Record<Role, number>>>;
}

const PICTURE_HASH = '0a1b2c';
/** A PNG picture of one pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const PASSWORD = 'Three-Sheep-42';
const hashed = hashPassword(PASSWORD);

/**
 * Creates a tenant. All strings in its data contain `word`, so that a test notices when another tenant can read one of them. `distributor`
 * is the owner of the tenant. Without this parameter, a new distributor is created.
 */
export async function makeTenant(db: TestDb, word: string, distributor?: Person): Promise<Tenant> {
  distributor ??= await makeDistributor(db);
  const customer = await makeCustomer(db, distributor, { lastName: word, address: word });
  const distribution = await makeDistribution(db, distributor, { name: `${word} Passover`, acceptActuals: true });
  const draft = await makeDistribution(db, distributor, { name: `${word} draft`, published: false });
  const { id: draftProductId } = await makeProduct(db, draft, { name: `${word} candles` });
  const uploads = await makeUploads(db, distribution, distributor);
  const closed = await makeDistribution(db, distributor, { name: `${word} closed`, orderingOpen: false });
  const product_code = 700_000 + distribution.id;
  const product = await makeProduct(db, distribution, { name: `${word} brisket`, product_code });
  await makeImage(db, distributor, { product_code, hash: PICTURE_HASH });
  const fee = await makeFee(db, distribution, { name: `${word} delivery` });
  const lamb = await makeProduct(db, distribution, { name: `${word} lamb`, unit_qty_is_estimate: true });
  const ordered: Parameters<typeof makeOrder>[3] = [
    [product, 1],
    [lamb, 1],
  ];
  const { id: orderId, lines } = await makeOrder(db, distribution, customer, ordered);
  const weighedLineId = lines[1]?.id ?? 0;
  const payer = await makeCustomer(db, distributor, { lastName: word });
  const wine = await makeProduct(db, distribution, { name: `${word} wine` });
  const { id: paidId } = await makeOrder(db, distribution, payer, [[wine, 1]]);
  const paid = { orderId: paidId, paymentId: await pay(db, distribution, { orderId: paidId, amount: 100, by: distributor }) };
  const mail = {
    from: distributor.email,
    to: customer.email,
    userId: customer.id,
    distributorId: distributor.id,
    subject: word,
    html: word,
  };
  const { id: mailId } = await db
    .insertInto('emails')
    .values({ ...mail, status: 'failed' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const scarce = await makeScarceRecords(db, distribution, { word, distributor, customer, other: payer });
  const people = { admin: await makeAdmin(db), distributor, agent: await makeAgent(db, distributor, { mayTakePayments: true }), customer };
  const ids = Object.values(people).map((person) => person.id);
  await db
    .updateTable('users')
    .set({ password: await hashed })
    .where('id', 'in', ids)
    .execute();
  const { id: spareCustomerId } = await makeCustomer(db, distributor, { lastName: word });
  const till = { distributorId: distributor.id, distributionId: distribution.id, userId: people.agent.id, float: 10_000 as never };
  const { id: tillId } = await db.insertInto('tills').values(till).returning('id').executeTakeFirstOrThrow();
  const { id: spareDistributorId } = await makeDistributor(db);
  return {
    people,
    distribution,
    draft,
    draftProductId,
    ...uploads,
    closed,
    product,
    fee,
    orderId,
    weighedLineId,
    paid,
    mailId,
    spareCustomerId,
    tillId,
    ...scarce,
    spareDistributorId,
  };
}

export const callOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
export const idsIn = (path: string): string[] => namesIn(path).filter((name) => !(TEXT_PARAMS as readonly string[]).includes(name));

function idOf(path: string, tenant: Tenant): number {
  if (path.startsWith('/api/emails/')) return tenant.mailId;
  if (path.endsWith('/slots/:slotId')) return tenant.slotted.id;
  if (path.startsWith('/api/tills/')) return tenant.tillId;
  return path.startsWith('/api/distributor-print-order/') ? tenant.orderId : tenant.distribution.id;
}

function userIdOf(path: string, { people, spareCustomerId }: Tenant): number {
  if (path.startsWith('/api/users/agent/')) return people.agent.id;
  return path.endsWith('/forget') ? spareCustomerId : people.customer.id;
}

/** Returns valid values for the parameters of a call's path, taken from the tenant's data. */
export function paramsOf(path: string, tenant: Tenant, role: Role = 'distributor'): Record<string, number | string> {
  const known: Record<string, number | string> = {
    role: 'customer',
    token: 'no-such-token',
    id: idOf(path, tenant),
    distributionId: tenant.distribution.id,
    productId: path.includes('/waiting/') ? tenant.awaitedId : tenant.product.id,
    productCode: tenant.product.product_code ?? 0,
    hash: PICTURE_HASH,
    feeId: tenant.fee.id,
    uploadId: path.startsWith('/api/customer-uploads/') ? tenant.customerUploadId : tenant.uploadId,
    slotId: tenant.slotId,
    orderId: path.includes('/payments') ? tenant.paid.orderId : tenant.orderId,
    paymentId: tenant.paid.paymentId,
    customerId: tenant.people.customer.id,
    userId: userIdOf(path, tenant),
    passkeyId: tenant.passkeyIds?.[role] ?? 1,
    distributorId: tenant.spareDistributorId,
  };
  return Object.fromEntries(
    namesIn(path).map((name) => {
      const value = known[name];
      if (value === undefined) throw new Error(`${path}: say in test/calls.ts what :${name} is`);
      return [name, value];
    }),
  );
}

const STAFF = 'distributor agent';
const ANY = 'admin distributor customer agent';

/** The roles that may send each call (contract §3). Calls that are not listed are for distributors only. */
const CALLERS: Record<string, string> = {
  'GET /api/health': 'public',
  'GET /api/live': 'public',
  ...SECOND_FACTOR_CALLERS,
  'POST /api/login': 'public',
  'POST /api/logout': 'public',
  'POST /api/register': 'public',
  'POST /api/reset-password/request': 'public',
  'POST /api/reset-password/check': 'public',
  'POST /api/reset-password/reset': 'public',
  'GET /api/unsubscribe/:token': 'public',
  'POST /api/unsubscribe/:token': 'public',
  'GET /api/user': ANY,
  'POST /api/user/password': ANY,
  'POST /api/user/sign-out-everywhere': ANY,
  'GET /api/distributors': 'admin',
  'POST /api/distributors': 'admin',
  'GET /api/distributors/states': 'admin',
  'POST /api/distributors/:distributorId/disable': 'admin',
  'POST /api/distributors/:distributorId/enable': 'admin',
  'POST /api/distributors/:distributorId/sign-out': 'admin',
  'POST /api/distributors/:distributorId/unlock': 'admin',
  'GET /api/export': ANY,
  'GET /api/backup': 'admin',
  'GET /api/distributions': `${STAFF} customer`,
  'GET /api/distributions/:id': `${STAFF} customer`,
  'GET /api/distributions/:id/products': `${STAFF} customer`,
  'GET /api/distributions/:id/fees': `${STAFF} customer`,
  ...SCARCE_CALLERS,
  'GET /api/product-images': `${STAFF} customer`,
  'GET /api/product-images/:productCode/:hash': `${STAFF} customer`,
  'GET /api/distributions/:id/customer-report': STAFF,
  'GET /api/distributions/:id/counter': STAFF,
  'GET /api/distributions/:id/counter-orders': STAFF,
  'GET /api/distributor-print-order/:id': STAFF,
  'GET /api/distributor-order-page-data/:distributionId/:customerId': STAFF,
  'POST /api/distributor/order': STAFF,
  'GET /api/orders/:orderId/history': STAFF,
  'POST /api/orders/:orderId/remove-weight': STAFF,
  'POST /api/orders/:orderId/picked-up': STAFF,
  'POST /api/tills': STAFF,
  'POST /api/tills/:id/close': STAFF,
  'GET /api/distributions/:id/tills': STAFF,
  'POST /api/orders/:orderId/payments': STAFF,
  'GET /api/order-for-actuals/:orderId': `${STAFF} customer`,
  'POST /api/order-product-quantities/:orderId': `${STAFF} customer`,
  'GET /api/contact': 'customer',
  'POST /api/contact': 'customer',
  'GET /api/orders': 'customer',
  'GET /api/orders/:distributionId': 'customer',
  'POST /api/orders': 'customer',
  'GET /api/customer-print-order/:distributionId': 'customer',
};
export const callersOf = (call: string): string[] => (CALLERS[call] ?? 'distributor').split(' ');

let made = 0;
const newEmail = (): string => `new${(made += 1)}@test.example`;

const BODIES: Record<string, (tenant: Tenant) => object> = {
  'POST /api/user/password': () => ({ currentPassword: PASSWORD, password: 'Four-Sheep-42' }),
  ...secondFactorBodies(PASSWORD),
  'POST /api/distributors': () => ({ email: newEmail() }),
  'POST /api/unused-customers/remove': ({ people }) => ({ userIds: [people.customer.id] }),
  'POST /api/users/:role': ({ people }) => ({ users: [{ email: newEmail() }], replyTo: people.distributor.email }),
  'PATCH /api/users/:role/:userId': () => ({ email: newEmail() }),
  'PATCH /api/organization': () => ({ timeZone: 'America/New_York' }),
  'POST /api/organization': () => ({ name: 'A', address: 'B', city: 'C', state: 'D', zip: 'E', phone: 'F' }),
  'POST /api/send-emails': ({ people }) => [
    { to: people.customer.email, replyTo: people.distributor.email, subject: 'Pick-up', html: '<p>At noon.</p>' },
  ],
  'POST /api/emails/test': () => ({ subject: 'Pick-up', html: '<p>At noon.</p>' }),
  'POST /api/contact': () => ({ firstName: 'A', lastName: 'B', address: 'C', city: 'D', state: 'E', zip: 'F', phone: 'G' }),
  'POST /api/distributions': () => ({ name: 'Purim', date: '2027-03-20' }),
  'POST /api/distributions/:id/copy': ({ product }) => ({ name: 'Purim', date: '2028-03-12', estimates: 'measured', keep: [product.id] }),
  'PATCH /api/distributions/:id': () => ({ acceptActuals: true }),
  'POST /api/distributions/:id/products': () => ({ name: 'Wine' }),
  'PATCH /api/distributions/:id/products/:productId': () => ({ name: 'Wine' }),
  'PATCH /api/distributions/:id/products': ({ product }) => ({
    products: [{ id: product.id, before: { max_order_qty: product.max_order_qty }, after: { max_order_qty: 7 } }],
  }),
  'POST /api/distributions/:id/repricing': ({ product, fee }) => ({
    products: [{ id: product.id, unit_price: 1200, unit_qty: 1, unit_qty_is_estimate: false }],
    deletedFees: [fee.id],
  }),
  'POST /api/distributions/:id/products/:productId/offer': () => ({ notOffered: true }),
  'POST /api/distributions/:id/products/:productId/share': () => ({ units: 0, rule: 'first', notify: true }),
  'POST /api/distributions/:id/print-orders': ({ orderId }) => ({ orderIds: [orderId] }),
  'POST /api/distributions/:id/clear-product-quantities': ({ product }) => ({ productId: product.id, product_code: product.product_code }),
  'POST /api/product-images/:productCode': () => ({ image: PICTURE }),
  'POST /api/distributions/:id/fees': () => ({ name: 'Delivery', type: 'flat', amount: 500 }),
  ...SCARCE_BODIES,
  'PATCH /api/distributions/:id/fees/:feeId': () => ({ amount: 600 }),
  'POST /api/tills': ({ draft }) => ({ distributionId: draft.id, float: 10_000 }),
  'POST /api/tills/:id/close': () => ({ counted: { cash: 10_000, check: 0, card: 0, other: 0 } }),
  'POST /api/orders/:orderId/picked-up': () => ({ pickedUp: true }),
  'POST /api/orders/:orderId/payments': () => ({ amount: 100, paymentMethod: 'Credit Card', description: 'Visa', feeAmount: 2 }),
  'POST /api/orders/:orderId/payments/:paymentId/reverse': () => ({ description: 'Typed for the wrong family' }),
  'POST /api/orders': ({ distribution, product }) => ({
    distributionId: distribution.id,
    products: [{ productId: product.id, quantity: 2 }],
  }),
  'POST /api/distributor/order': ({ people, distribution, product }) => ({
    customerId: people.customer.id,
    distributionId: distribution.id,
    products: [{ productId: product.id, quantity: 2 }],
  }),
  'POST /api/order-product-quantities/:orderId': ({ weighedLineId }) => ({ [`${weighedLineId}-0`]: 4.5 }),
  'POST /api/orders/:orderId/remove-weight': ({ weighedLineId }) => ({ orderProductId: weighedLineId, index: 0 }),
};

/** Returns a valid body for the call with ids of the tenant, or undefined if the call has no body. */
export function bodyOf(endpoint: Endpoint, tenant: Tenant): object | undefined {
  if (!endpoint.body) return undefined;
  const body = BODIES[callOf(endpoint)];
  if (!body) throw new Error(`${callOf(endpoint)}: give it a body in test/calls.ts`);
  return body(tenant);
}
