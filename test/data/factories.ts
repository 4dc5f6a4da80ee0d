// Inserts users and records for tests directly into the database. A test can specify every value.
import { cents } from '../../src/domain/money.ts';
import type { Role } from '../../src/domain/accounts/roles.ts';
import type { NewRow, Row } from '../database/tables.ts';
import { tenantCanary } from '../tenant-leak-canaries.ts';
import type { Person } from '../test-app.ts';
import type { TestDb } from '../database/test-db.ts';

let made = 0;
const next = (): number => (made += 1);

/**
 * Returns a new e-mail address that contains the marker of its tenant (test/tenant-leak-canaries.ts). Each new distributor gets a new
 * marker, and the people of a distributor get the marker of that distributor.
 */
async function emailOf(db: TestDb, role: Role, distributorId: number | null): Promise<string> {
  const number = next();
  if (distributorId === null) return `${role}${number}@t${number}.test.example`;
  const distributor = await db.selectFrom('users').select('email').where('id', '=', distributorId).executeTakeFirst();
  return `${role}${number}@${tenantCanary(distributor?.email ?? '') ?? 't0'}.test.example`;
}

export async function makeUser(db: TestDb, role: Role, values: Partial<NewRow<'users'>> = {}): Promise<Person> {
  const email = values.email ?? (await emailOf(db, role, values.distributorId ?? null));
  const user = { role, distributorId: null, ...values, email };
  return await db.insertInto('users').values(user).returning(['id', 'email', 'role']).executeTakeFirstOrThrow();
}

export const makeAdmin = (db: TestDb): Promise<Person> => makeUser(db, 'admin');
export const makeDistributor = (db: TestDb): Promise<Person> => makeUser(db, 'distributor');
export const makeAgent = (db: TestDb, distributor: Person, values: Partial<NewRow<'users'>> = {}): Promise<Person> =>
  makeUser(db, 'agent', { distributorId: distributor.id, ...values });

export async function makeCustomer(db: TestDb, distributor: Person, contact: Partial<NewRow<'contacts'>> = {}): Promise<Person> {
  const customer = await makeUser(db, 'customer', { distributorId: distributor.id });
  const fields = {
    firstName: 'Rivka',
    lastName: 'Abramov',
    address: '1 Elm St',
    city: 'Teaneck',
    state: 'NJ',
    zip: '07666',
    phone: '555-0100',
  };
  await db
    .insertInto('contacts')
    .values({ ...fields, userId: customer.id, ...contact })
    .execute();
  return customer;
}

/** Creates a distribution. By default it is published and open. */
export async function makeDistribution(
  db: TestDb,
  distributor: Person,
  values: Partial<NewRow<'distributions'>> = {},
): Promise<Row<'distributions'>> {
  const distribution = { distributorId: distributor.id, name: `Passover ${next()}`, date: '2027-04-15', published: true, ...values };
  return await db.insertInto('distributions').values(distribution).returningAll().executeTakeFirstOrThrow();
}

export async function makeProduct(
  db: TestDb,
  distribution: Row<'distributions'>,
  values: Partial<NewRow<'products'>> = {},
): Promise<Row<'products'>> {
  const place = { distributorId: distribution.distributorId, distributionId: distribution.id };
  const product = { ...place, name: `Product ${next()}`, unit_price: cents(1000), uom: 'lb', product_group: 'Beef', ...values };
  return await db.insertInto('products').values(product).returningAll().executeTakeFirstOrThrow();
}

export async function makeFee(db: TestDb, distribution: Row<'distributions'>, values: Partial<NewRow<'fees'>> = {}): Promise<Row<'fees'>> {
  const place = { distributorId: distribution.distributorId, distributionId: distribution.id };
  const fee = { ...place, name: `Fee ${next()}`, type: 'flat' as const, amount: 500, ...values };
  return await db.insertInto('fees').values(fee).returningAll().executeTakeFirstOrThrow();
}

/** Creates a pick-up time, by default for 10 orders. */
export async function makeSlot(
  db: TestDb,
  distribution: Row<'distributions'>,
  values: Partial<NewRow<'slots'>> = {},
): Promise<Row<'slots'>> {
  const place = { distributorId: distribution.distributorId, distributionId: distribution.id };
  const slot = { ...place, label: `Pick-up ${next()}`, startsAt: '2027-04-14T13:00:00Z', capacity: 10, ...values };
  return await db.insertInto('slots').values(slot).returningAll().executeTakeFirstOrThrow();
}

/** Stores a picture for a product code. Its bytes are not a valid picture. */
export async function makeImage(
  db: TestDb,
  distributor: Person,
  values: Pick<NewRow<'product_images'>, 'product_code' | 'hash'>,
): Promise<void> {
  const image = { distributorId: distributor.id, image: Buffer.from('RIFF'), updatedBy: distributor.id, ...values };
  await db.insertInto('product_images').values(image).execute();
}

/** Inserts a finished upload of products that changed none, and an upload of customers that has created none. */
export async function makeUploads(
  db: TestDb,
  { id: distributionId }: Row<'distributions'>,
  { id }: Person,
): Promise<{ uploadId: number; customerUploadId: number }> {
  const by = { distributorId: id, updatedBy: id };
  const finished = { ...by, distributionId, before: '[]', changes: '[]', finishedAt: new Date().toISOString() };
  const ofProducts = await db.insertInto('product_uploads').values(finished).returning('id').executeTakeFirstOrThrow();
  await db.insertInto('product_upload_writes').values({ uploadId: ofProducts.id, productId: 1, hash: 1 }).execute();
  const ofCustomers = await db.insertInto('customer_uploads').values(by).returning('id').executeTakeFirstOrThrow();
  return { uploadId: ofProducts.id, customerUploadId: ofCustomers.id };
}
