// These tests lock out and delete a distributor that has moved away. No other distributor is affected (contract §18).
import { mkdtempSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { makeTenant, PASSWORD, type Tenant } from '../../../test/calls.ts';
import { makeAdmin, makeCustomer } from '../../../test/data/factories.ts';
import { addTenantRows } from '../../../test/data/tenant-rows.ts';
import { tableChecksums } from '../../../test/database/table-contents.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { decompressed } from '../backup/read-backup.ts';
import { namesIn, tablesOf } from '../backup/tables.ts';
import { migrationsIn } from '../database/migrate.ts';
import { closeTenant } from './close-tenant.ts';
import { deleteTenant } from './delete-tenant.ts';
import { exportTenant } from './export-tenant.ts';
import { tenantTables, WITHOUT_TENANT } from './tenant-tables.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'feastday-tenant-'));
const MAILS = join(FOLDER, 'mail');
const testApp = setupTestApp();
let client: pg.Client;
beforeAll(async () => {
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(testApp.db);
  client = new pg.Client({ ...inject('postgres').connection, database: rows[0]?.name });
  await client.connect();
  await mkdir(MAILS);
});
afterAll(async () => {
  await client.end();
  await rm(FOLDER, { recursive: true, force: true });
});

const signIn = async ({ email }: Person) =>
  (await testApp.app.inject({ method: 'POST', url: '/api/login', payload: { email, password: PASSWORD } })).statusCode;
const close = (tenant: Tenant) => closeTenant(client, { distributorId: tenant.people.distributor.id, now: new Date() });

test('closing a distributor prevents all its people from signing in, and an admin can open it again (contract §18)', async () => {
  const { people } = await makeTenant(testApp.db, 'Closing');
  const other = await makeTenant(testApp.db, 'Other');
  const { distributor, agent, customer, admin } = people;
  const excluded = await makeCustomer(testApp.db, distributor);
  await testApp.db.updateTable('users').set({ disabledAt: '2026-01-01T00:00:00Z' }).where('id', '=', excluded.id).execute();
  const cookie = `sid=${(await testApp.app.inject({ method: 'POST', url: '/api/login', payload: { email: customer.email, password: PASSWORD } })).cookies[0]?.value}`;
  const isIn = async () => (await testApp.app.inject({ method: 'GET', url: '/api/user', headers: { cookie } })).statusCode === 200;
  expect(await isIn()).toBe(true);
  // The tenant has an agent and three customers. The disabled customer is not counted, and neither is the distributor.
  expect(await closeTenant(client, { distributorId: distributor.id, now: new Date() })).toEqual({ people: 4 });
  for (const person of [distributor, agent, customer]) expect(await signIn(person)).toBe(401);
  for (const person of Object.values(other.people)) expect(await signIn(person)).toBe(200);
  expect(await isIn()).toBe(false);
  await testApp.request(admin, { method: 'POST', url: `/api/distributors/${distributor.id}/enable` });
  for (const person of [distributor, agent, customer]) expect(await signIn(person)).toBe(200);
  expect(await isIn()).toBe(false);
  const { disabledAt } = await testApp.db.selectFrom('users').select('disabledAt').where('id', '=', excluded.id).executeTakeFirstOrThrow();
  expect(disabledAt).not.toBeNull();
});

/** Adds rows that a move to another installation leaves out, such as sessions and second factors. */
async function addLeftRows({ people }: Tenant): Promise<void> {
  const [userId, distributorId, expiresAt] = [people.agent.id, people.distributor.id, '2099-01-01T00:00:00Z'];
  const { db } = testApp;
  await db
    .insertInto('passkeys')
    .values({ userId, credentialId: `key-${userId}`, publicKey: Buffer.from('key'), name: 'Phone', usedAt: null })
    .execute();
  await db.insertInto('code_apps').values({ userId, secret: 'S', usedAt: null }).execute();
  await db.insertInto('recovery_codes').values({ userId, codeHash: 'hash', usedAt: null }).execute();
  await db.insertInto('second_factor_setups').values({ userId, kind: 'code', secret: 'S', expiresAt }).execute();
  await db
    .insertInto('pending_sign_ins')
    .values({ userId, tokenHash: `pending-${userId}`, expiresAt, challenge: null })
    .execute();
  await db
    .insertInto('replaced_links')
    .values({ userId, tokenHash: `link-${userId}`, expires: expiresAt })
    .execute();
  await db.insertInto('join_networks').values({ distributorId, network: '192.0.2.0', requests: 1, windowStart: expiresAt }).execute();
  await db.insertInto('idempotency_keys').values({ userId, key: 'k', bodyHash: 'h' }).execute();
  await db.insertInto('saved_rows').values({ userId, ofAllStaff: true, rows: 500, countedAt: new Date().toISOString() }).execute();
  const recipients = `INSERT INTO erased_recipients ("mailId", "addressHash", "mailboxHash", "erasedAt")
    SELECT id, 'hash', 'hash', now() FROM emails WHERE "distributorId" = $1`;
  await client.query(recipients, [distributorId]);
  await client.query(`INSERT INTO devices ("tokenHash", "userId", "usedAt") VALUES ($1, $2, $3)`, [`device-${userId}`, userId, expiresAt]);
  await client.query(`INSERT INTO session_store (sid, sess, expire, "userId") VALUES ($1, '{}', $2, $3)`, [
    `sid-${userId}`,
    expiresAt,
    userId,
  ]);
}

describe('deleting a distributor', () => {
  let before: Record<string, string>;
  let moved: Tenant;
  let file: string;
  let turn = 0;

  beforeEach(async () => {
    await makeAdmin(testApp.db);
    const neighbour = await makeTenant(testApp.db, 'Neighbour');
    await addTenantRows(testApp.db, neighbour);
    await addLeftRows(neighbour);
    before = await tableChecksums(client);
    moved = await makeTenant(testApp.db, 'Moving');
    await addTenantRows(testApp.db, moved);
    await close(moved);
    file = join(FOLDER, `${turn++}.gz`);
    await exportTenant({ client, now: testApp.time, distributorId: moved.people.distributor.id }, file);
    await addLeftRows(moved);
  });

  const remove = (overrides: { distributorId?: number; path?: string; signal?: AbortSignal } = {}) => {
    const { path = file, distributorId = moved.people.distributor.id, ...rest } = overrides;
    return deleteTenant({ client, distributorId, source: decompressed(path), mailFolder: MAILS, ...rest });
  };
  const plan = async () => await tenantTables(client, await tablesOf(client, namesIn(await migrationsIn())), WITHOUT_TENANT);
  const countsOf = async ({ id }: Person) => {
    const counts: Record<string, number> = {};
    for (const { name, rowsOf } of await plan())
      counts[name] = (await client.query(`SELECT FROM ${name} WHERE ${rowsOf(id)}`)).rowCount ?? 0;
    return counts;
  };
  /** Removes the admin and the spare distributor, which the test data contains in addition to the distributor's own rows. */
  const removeOthers = async () =>
    await testApp.db.deleteFrom('users').where('id', 'in', [moved.people.admin.id, moved.spareDistributorId]).execute();
  const refused = async (removal: () => Promise<unknown>, sentence: string | RegExp) => {
    const contents = await tableChecksums(client);
    await expect(removal()).rejects.toThrow(sentence);
    expect(await tableChecksums(client)).toEqual(contents);
  };

  test('leaves no row of the distributor in any table, and does not change the rows of others (contract §18)', async () => {
    const { distributor } = moved.people;
    const counts = await countsOf(distributor);
    expect(Object.keys(counts).filter((name) => counts[name] === 0)).toEqual([]);
    const kept = join(MAILS, '999999.eml');
    for (const path of [kept, join(MAILS, `${moved.mailId}.eml`)]) await writeFile(path, 'mail');
    // These statements simulate failed sign-ins of a stranger and a cleanup of old mails after the export. The distributor can still be
    // deleted.
    await testApp.db.updateTable('users').set({ loginAttempts: 3 }).where('id', '=', distributor.id).execute();
    await testApp.db.updateTable('emails').set({ html: '' }).where('id', '=', moved.mailId).execute();
    expect(await remove()).toEqual({ rows: Object.values(counts).reduce((sum, rows) => sum + rows, 0) });
    await removeOthers();
    expect(await tableChecksums(client)).toEqual(before);
    expect(await readdir(MAILS)).toEqual(['999999.eml']);
    const { rows } = await client.query(`SELECT FROM pg_class WHERE relname LIKE 'deletion%'`);
    expect(rows).toEqual([]);
  });

  test('can be continued with the same file after an interruption (contract §18)', { tags: ['long'] }, async () => {
    await expect(remove({ signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
    expect(await tableChecksums(client)).not.toEqual(before);
    await remove();
    await removeOthers();
    expect(await tableChecksums(client)).toEqual(before);
  });

  test('reports the error of a failed batch, and leaves no index and no open transaction', { tags: ['long'] }, async () => {
    await client.query(`CREATE FUNCTION fail_deletion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the disk is full'; END $$`);
    await client.query('CREATE TRIGGER fail_deletion BEFORE DELETE ON products FOR EACH ROW EXECUTE FUNCTION fail_deletion()');
    try {
      await expect(remove()).rejects.toThrow('the disk is full');
    } finally {
      await client.query('DROP FUNCTION fail_deletion CASCADE');
    }
    expect((await client.query(`SELECT FROM pg_class WHERE relname LIKE 'deletion%'`)).rows).toEqual([]);
    await remove();
    await removeOthers();
    expect(await tableChecksums(client)).toEqual(before);
  });

  test('is refused while people of the distributor can sign in (contract §18)', async () => {
    await testApp.db.updateTable('users').set({ disabledAt: null }).where('id', '=', moved.people.customer.id).execute();
    await refused(() => remove(), `npm run tenant -- close ${moved.people.distributor.id}: nothing was deleted.`);
  });

  test('is refused when a row of the database is missing from the exported file or differs from it (contract §18)', async () => {
    await testApp.db.updateTable('orders').set({ note: 'Written later' }).where('id', '=', moved.orderId).execute();
    await refused(() => remove(), /^1 of the rows in "orders" are not in the file.*: nothing was deleted\.$/);
  });

  test('is refused when the distributor is unknown or is not the distributor in the file, and when the file is damaged (contract §18)', async () => {
    const other = await makeTenant(testApp.db, 'Stranger');
    await close(other);
    const { id } = other.people.distributor;
    await refused(() => remove({ distributorId: id }), `The file is not of the distributor ${id}: nothing was deleted.`);
    await refused(() => remove({ distributorId: 999_999 }), 'There is no distributor 999999: nothing was deleted.');
    const path = join(FOLDER, 'other.txt.gz');
    await writeFile(path, gzipSync('id,name\n'));
    await refused(() => remove({ path }), /^The file is no distributor of Feastday.*: nothing was deleted\.$/);
  });

  test('is the only way to delete a till (contract §15)', async () => {
    await expect(client.query('DELETE FROM tills WHERE id = $1', [moved.tillId])).rejects.toThrow('a till is closed once and never edited');
  });
});
