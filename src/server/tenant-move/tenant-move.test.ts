// Moves a distributor between two installations that both have other distributors (contract §18).
import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTenant, paramsOf, type Tenant } from '../../../test/calls.ts';
import { makeAdmin } from '../../../test/data/factories.ts';
import { addTenantRows } from '../../../test/data/tenant-rows.ts';
import { withoutIds } from '../../../test/database/without-ids.ts';
import { setupClients } from '../../../test/database/own-client.ts';
import { tableChecksums } from '../../../test/database/table-contents.ts';
import { setupTestApp, type Person, type TestApp } from '../../../test/test-app.ts';
import { routes } from '../../api.ts';
import type { Role } from '../../domain/accounts/roles.ts';
import { decompressed } from '../backup/read-backup.ts';
import { namesIn, tablesOf } from '../backup/tables.ts';
import { migrationsIn } from '../database/migrate.ts';
import { exportTenant } from './export-tenant.ts';
import { importTenant } from './import-tenant.ts';
import { NOT_MOVED, tenantTables } from './tenant-tables.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'feastday-tenant-'));
const here = setupTestApp();
const there = setupTestApp();
const clientOf = setupClients();
afterAll(() => rm(FOLDER, { recursive: true, force: true }));

let neighbour: Tenant;
let moved: Tenant;
let file: string;
let source: pg.Client;
let target: pg.Client;
beforeAll(async () => {
  neighbour = await makeTenant(here.db, 'Neighbour');
  moved = await makeTenant(here.db, 'Moving');
  await makeTenant(here.db, 'Neighbour');
  await addTenantRows(here.db, moved);
  [source, target] = [await clientOf(here), await clientOf(there)];
  // The ids of the second installation start at 5000, so that the two installations have no common id.
  for (const table of ['users', 'distributions', 'orders', 'products'])
    await sql`ALTER TABLE ${sql.table(table)} ALTER COLUMN id RESTART WITH 5000`.execute(there.db);
  await makeAdmin(there.db);
  file = join(FOLDER, 'moved.gz');
  await exportTenant({ client: source, now: here.time, distributorId: moved.people.distributor.id }, file);
});

const idsOf = async (testApp: TestApp, client: pg.Client, table: string, email: string): Promise<number[]> => {
  const { id } = await testApp.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  const place = (await planOf(client)).find(({ name }) => name === `"${table}"`);
  return (await client.query<{ id: number }>(`SELECT id FROM ${table} WHERE ${place?.rowsOf(id)} ORDER BY id`)).rows.map((row) => row.id);
};
const planOf = async (client: pg.Client) => await tenantTables(client, await tablesOf(client, namesIn(await migrationsIn())));

/** Returns the tenant with the ids after the move. The import keeps the sequence of ids. */
async function movedTenant(): Promise<Tenant> {
  const newId = async (table: string, id: number): Promise<number> => {
    const [before, after] = [
      await idsOf(here, source, table, moved.people.distributor.email),
      await idsOf(there, target, table, moved.people.distributor.email),
    ];
    return after[before.indexOf(id)] ?? 0;
  };
  const person = async (one: Person): Promise<Person> => ({ ...one, id: await newId('users', one.id) });
  const { distributor, agent, customer, admin } = moved.people;
  return {
    ...moved,
    people: { admin, distributor: await person(distributor), agent: await person(agent), customer: await person(customer) },
    distribution: { ...moved.distribution, id: await newId('distributions', moved.distribution.id) },
    product: { ...moved.product, id: await newId('products', moved.product.id) },
    fee: { ...moved.fee, id: await newId('fees', moved.fee.id) },
    orderId: await newId('orders', moved.orderId),
    paid: { orderId: await newId('orders', moved.paid.orderId), paymentId: await newId('payments', moved.paid.paymentId) },
    spareCustomerId: await newId('users', moved.spareCustomerId),
  };
}

const READS = routes.map(({ endpoint }) => endpoint).filter(({ method, roles }) => method === 'GET' && !roles.includes('public'));
const ROLES = ['distributor', 'agent', 'customer'] as const satisfies Role[];

async function readsOf(testApp: TestApp, tenant: Tenant): Promise<Record<string, unknown>> {
  const replies: Record<string, unknown> = {};
  for (const endpoint of READS)
    for (const role of ROLES.filter((one) => endpoint.roles.includes(one))) {
      const params = paramsOf(endpoint.path, tenant);
      const url = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]));
      const { statusCode, headers, body } = await testApp.request(tenant.people[role], { method: 'GET', url });
      const isJson = String(headers['content-type']).includes('json');
      replies[`${endpoint.path} as ${role}`] = [statusCode, isJson && statusCode === 200 ? withoutIds(JSON.parse(body)) : body];
    }
  return replies;
}

const isUpload = (value: unknown): boolean => String((value as { what?: unknown } | null)?.what).startsWith('upload of ');
/** Removes the sessions and uploads from the export of a person's data, because a move does not include them. */
const withoutSessions = (replies: Record<string, unknown>) =>
  JSON.parse(
    JSON.stringify(replies, (name, value: unknown) => {
      if (name === 'sessions') return undefined;
      return Array.isArray(value) ? (value as unknown[]).filter((one) => !isUpload(one)) : value;
    }),
  ) as Record<string, unknown>;

const contentsOfOthers = async (client: pg.Client, email: string): Promise<Record<string, string[]>> => {
  const { rows } = await client.query<{ id: number }>('SELECT id FROM users WHERE email = $1', [email]);
  const contents: Record<string, string[]> = {};
  for (const { name, rowsOf } of await planOf(client)) {
    const found = await client.query<{ row: string }>(
      `SELECT t::text AS row FROM ${name} t WHERE (${rowsOf(rows[0]?.id ?? 0)}) IS NOT TRUE ORDER BY 1`,
    );
    contents[name] = found.rows.map(({ row }) => row);
  }
  return contents;
};

test('a distributor can be imported into an installation that has no admin yet (contract §18)', async () => {
  await there.db.deleteFrom('users').where('role', '=', 'admin').execute();
  const path = join(FOLDER, 'neighbour.gz');
  await exportTenant({ client: source, now: here.time, distributorId: neighbour.people.distributor.id }, path);
  expect(await importTenant(target, decompressed(path))).toMatchObject({ rows: expect.any(Number) as number });
  await makeAdmin(there.db);
});

test('a distributor has the same reports in the new installation as in the old one, and the other tenants there are unchanged (contract §18)', async () => {
  const { email } = moved.people.distributor;
  const others = await contentsOfOthers(target, email);
  const { distributorId } = await importTenant(target, decompressed(file));
  const tenant = await movedTenant();
  expect(distributorId).toBe(tenant.people.distributor.id);
  expect(distributorId).toBeGreaterThan(5000);
  expect(withoutSessions(await readsOf(there, tenant))).toEqual(withoutSessions(await readsOf(here, moved)));
  expect(await contentsOfOthers(target, email)).toEqual(others);
});

test('every table is moved with all rows of the distributor, and the audit trail of an order refers to the new id of its pick-up time (contract §18)', async () => {
  const counts = async (client: pg.Client, testApp: TestApp) => {
    const { id } = await testApp.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', moved.people.distributor.email)
      .executeTakeFirstOrThrow();
    const found: Record<string, number> = {};
    for (const { name, rowsOf } of await planOf(client))
      found[name] = (await client.query(`SELECT 1 FROM ${name} WHERE ${rowsOf(id)}`)).rowCount ?? 0;
    return found;
  };
  const before = await counts(source, here);
  expect(await counts(target, there)).toEqual(before);
  expect(Object.entries(before).filter(([, rows]) => rows === 0)).toEqual([]);
  const { rows } = await target.query<{ same: boolean }>(
    `SELECT a.after->'slotId' = to_jsonb(o."slotId") AS same FROM order_audit a JOIN orders o ON o.id = a."orderId"`,
  );
  expect(rows).toEqual([{ same: true }]);
});

test('every column that refers to an id gets the new id, and every table is moved or known to contain no data of a distributor (contract §18)', async () => {
  const plan = await planOf(source);
  const { rows } = await source.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns WHERE table_schema = 'public' AND data_type = 'integer'`,
  );
  const kept = rows
    .filter(({ table, column }) => /Id$|By$|^id$/.test(column) && !NOT_MOVED.has(`"${table}"`))
    .filter(({ table, column }) => {
      const place = plan.find(({ name }) => name === `"${table}"`);
      return place?.identity !== `"${column}"` && !place?.ids.has(`"${column}"`);
    });
  expect(kept).toEqual([]);
  const names = (await tablesOf(source, namesIn(await migrationsIn()))).map(({ name }) => name);
  expect(names.filter((name) => !NOT_MOVED.has(name) && !plan.some((place) => place.name === name))).toEqual([]);
});

const refused = async (source: AsyncIterable<Buffer>, sentence: RegExp | string): Promise<void> => {
  const before = await tableChecksums(target);
  await expect(importTenant(target, source)).rejects.toThrow(sentence);
  expect(await tableChecksums(target)).toEqual(before);
};

test('an import refuses a file with e-mail addresses that exist already, and changes nothing (contract §18)', async () => {
  await refused(decompressed(file), /^This installation has an account for .+@.+ and others: nothing was imported\.$/);
});

test('an import into a database that Feastday has never used says what to do first (contract §18)', async () => {
  await target.query('BEGIN');
  await target.query('ALTER TABLE migrations RENAME TO moved_away');
  const answer = importTenant(target, decompressed(file));
  await expect(answer).rejects.toThrow('The database has no tables yet: start Feastday once, then import again: nothing was imported.');
  await target.query('ROLLBACK');
});

test.each([
  [
    'with another letter',
    (text: string) => text.replace('Moving Passover', 'Moving Passaver'),
    'The file is damaged: nothing was imported.',
  ],
  ['cut off', (text: string) => text.slice(0, text.length / 2), /ends in the middle/],
  [
    'of another version',
    (text: string) => text.replace(/^-- Migrations: .*$/m, '-- Migrations: 0001_x.sql'),
    /^The file is of another version/,
  ],
  ['of another kind', () => 'id,name\n', /^The file is no distributor of Feastday/],
])('an import refuses an exported file %s, and changes nothing (contract §18)', async (name, change, sentence) => {
  const path = join(FOLDER, `${name}.gz`);
  await writeFile(path, gzipSync(change(gunzipSync(await readFile(file)).toString())));
  await refused(decompressed(path), sentence);
});

test('an import refuses a file with a password hash of another cost, because checking a password against such a hash could take the whole memory (reliability freeze)', async () => {
  const users = here.db.updateTable('users').where('id', '=', moved.people.agent.id);
  await users.set({ password: '$argon2id$v=19$m=4194304,t=100,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA' }).execute();
  const path = join(FOLDER, 'costly.gz');
  await exportTenant({ client: await clientOf(here), now: here.time, distributorId: moved.people.distributor.id }, path);
  await refused(decompressed(path), 'The file has a password hash that Feastday does not create: nothing was imported.');
  await users.set({ password: null }).execute();
});

test("an export refuses an id that is not a distributor's (contract §18)", async () => {
  const client = await clientOf(here);
  const exporting = exportTenant({ client, now: here.time, distributorId: moved.people.customer.id }, join(FOLDER, 'no.gz'));
  await expect(exporting).rejects.toThrow(`There is no distributor ${moved.people.customer.id}: nothing was written.`);
});
