// An imported file must not contain values that the application never writes, because somebody may have edited the file or the old database.
// @module-tag long
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTenant, type Tenant } from '../../../test/calls.ts';
import { makeAdmin } from '../../../test/data/factories.ts';
import { addTenantRows } from '../../../test/data/tenant-rows.ts';
import { setupClients } from '../../../test/database/own-client.ts';
import { tableChecksums } from '../../../test/database/table-contents.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { CONTACT_FIELDS } from '../../features/contact/contract.ts';
import { MAX_GROUP_ORDER, MAX_GROUPS } from '../../features/distributions/contract.ts';
import { MAX_HTML_LENGTH } from '../../features/emails/contract.ts';
import { MAX_NOTE_LENGTH } from '../../features/orders/contract.ts';
import { MAX_DESCRIPTION_LENGTH } from '../../features/payments/contract.ts';
import { decompressed } from '../backup/read-backup.ts';
import { namesIn, tablesOf } from '../backup/tables.ts';
import { migrationsIn } from '../database/migrate.ts';
import { exportTenant } from './export-tenant.ts';
import { importTenant } from './import-tenant.ts';
import { findInvalidTime, findLongValue, LONGER } from './unusual-values.ts';
import { stagedTableName } from './staged-tenant.ts';
import { tenantTables } from './tenant-tables.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'feastday-long-'));
const here = setupTestApp();
const there = setupTestApp();
const clientOf = setupClients();
afterAll(() => rm(FOLDER, { recursive: true, force: true }));

let tenant: Tenant;
let source: pg.Client;
let target: pg.Client;
beforeAll(async () => {
  [source, target] = [await clientOf(here), await clientOf(there)];
  tenant = await makeTenant(here.db, 'Long');
  await addTenantRows(here.db, tenant);
  await makeAdmin(there.db);
});

async function exported(): Promise<AsyncIterable<Buffer>> {
  const path = join(FOLDER, `${randomUUID()}.gz`);
  await exportTenant({ client: source, now: here.time, distributorId: tenant.people.distributor.id }, path);
  return decompressed(path);
}

const LONG_VALUES: Readonly<Record<string, string>> = {
  text: `repeat('x', 1300000)`,
  'text[]': `ARRAY[repeat('x', 1300000)]`,
  jsonb: `to_jsonb(repeat('x', 1300000))`,
  bytea: `decode(repeat('00', 300001), 'hex')`,
};
/** Sets each column of these types in each table that an import writes, and returns the columns. `find` must return the column. */
async function trySetting(ofTypes: string, valueOf: (type: string) => string, find: typeof findLongValue): Promise<string[]> {
  const tables = await tenantTables(target, await tablesOf(target, namesIn(await migrationsIn())));
  const seen: string[] = [];
  await target.query('BEGIN');
  for (const table of tables) {
    const staged = stagedTableName(table);
    await target.query(`CREATE TEMP TABLE ${staged} ON COMMIT DROP AS SELECT ${table.columns.join(', ')} FROM ${table.name} WITH NO DATA`);
    const { rows } = await target.query<{ column: string; type: string }>(
      `SELECT '"' || attname || '"' AS column, format_type(atttypid, NULL) AS type
        FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND ${ofTypes}`,
      [staged],
    );
    for (const { column, type } of rows) {
      await target.query(`INSERT INTO ${staged} (${column}) VALUES (${valueOf(type)})`);
      expect(await find(target, [table])).toBe(`${table.name}.${column}`.replaceAll('"', ''));
      await target.query(`DELETE FROM ${staged}`);
      seen.push(`${table.name} ${column}`);
    }
  }
  await target.query('ROLLBACK');
  return seen;
}

test('each text, list, JSON and binary column that an import can write has a maximum length (reliability abuse)', async () => {
  const longValueOf = (type: string): string => LONG_VALUES[type] ?? `'a test value for ${type} is missing'`;
  const seen = await trySetting(`attlen = -1 AND atttypid <> 'numeric'::regtype`, longValueOf, findLongValue);
  expect(seen.length).toBeGreaterThan(50);
  expect(Object.keys(LONGER).filter((column) => !seen.includes(column))).toEqual([]);
});

test.each(['infinity', '-infinity', '0001-01-01 BC', '0031-12-31', '1899-12-31', '3000-01-01', '10000-01-01'])(
  'each date and time that an import can write is refused if it is %s (reliability abuse)',
  async (time) => {
    const seen = await trySetting(`atttypid IN ('date'::regtype, 'timestamptz'::regtype)`, () => `'${time}'`, findInvalidTime);
    expect(seen.length).toBeGreaterThan(30);
  },
);

/** Exports the distributor while a column of one of its tables has another value. */
async function exportedWith(table: string, column: string, value: string): Promise<AsyncIterable<Buffer>> {
  await source.query(`CREATE TEMP TABLE kept AS SELECT id, "${column}" FROM ${table}`);
  await source.query(`UPDATE ${table} SET "${column}" = ${value}`);
  const file = await exported();
  await source.query(`UPDATE ${table} t SET "${column}" = kept."${column}" FROM kept WHERE kept.id = t.id`);
  await source.query('DROP TABLE kept');
  return file;
}

const MANY_GROUPS = 'The file has more product groups in distributions.groupOrder than Feastday writes: nothing was imported.';
const timeIn = (column: string): string => `The file has a date or time in ${column} that Feastday does not write: nothing was imported.`;
const longerIn = (column: string): string => `The file has a longer value in ${column} than Feastday writes: nothing was imported.`;

test.each([
  ['distributions', 'groupOrder', `ARRAY(SELECT 'Group ' || n FROM generate_series(1, 50000) n)`, longerIn('distributions.groupOrder')],
  ['distributions', 'groupOrder', `ARRAY(SELECT n::text FROM generate_series(1, 1001) n)`, MANY_GROUPS],
  ['emails', 'subject', `repeat('x', 601)`, longerIn('emails.subject')],
  ['emails', 'response', `repeat('x', 1001)`, longerIn('emails.response')],
  ['contact_audit', 'after', `jsonb_build_object('phone', repeat('x', 3000))`, longerIn('contact_audit.after')],
  ['emails', 'sentAt', `'infinity'`, timeIn('emails.sentAt')],
  ['emails', 'sentAt', `'0031-12-31 00:00:00.5+00'`, timeIn('emails.sentAt')],
  ['distributions', 'date', `'-infinity'`, timeIn('distributions.date')],
])(
  'an import refuses a file that has in %s.%s the value %s, and changes nothing (reliability abuse)',
  async (table, column, value, sentence) => {
    const before = await tableChecksums(target);
    await expect(importTenant(target, await exportedWith(table, column, value))).rejects.toThrow(sentence);
    expect(await tableChecksums(target)).toEqual(before);
  },
);

test('the links that the old installation mailed do not work in the new one (reliability abuse)', async () => {
  const moved = await makeTenant(here.db, 'Links');
  await addTenantRows(here.db, moved);
  const { distributor } = moved.people;
  await source.query(`UPDATE users SET "resetPasswordToken" = 'reset' || id, "invitationToken" = 'invitation' || id`);
  await source.query(`UPDATE join_requests SET tokens = ARRAY['join']`);
  const path = join(FOLDER, 'links.gz');
  await exportTenant({ client: source, now: here.time, distributorId: distributor.id }, path);
  const { distributorId } = await importTenant(target, decompressed(path));
  const tokens = (client: pg.Client, id: number) =>
    client.query(
      `SELECT (SELECT count(*) > 0 FROM users u WHERE (u.id = $1 OR u."distributorId" = $1)
          AND ("resetPasswordToken" IS NOT NULL OR "invitationToken" IS NOT NULL)) AS users,
        (SELECT json_agg(cardinality(tokens)) FROM join_requests WHERE "distributorId" = $1) AS joins`,
      [id],
    );
  expect((await tokens(source, distributor.id)).rows).toEqual([{ users: true, joins: [1] }]);
  expect((await tokens(target, distributorId)).rows).toEqual([{ users: false, joins: [0] }]);
});

/** Returns a text of the maximum length, in whose JSON each character has two. */
const quotes = (length: number): string => '"'.repeat(length);

test('a distributor whose texts have the maximum lengths can be imported (contract §18)', async () => {
  const { distributor, customer } = tenant.people;
  const save = async (method: 'PATCH' | 'POST', url: string, payload: object) =>
    expect([url, (await here.request(distributor, { method, url, payload })).statusCode]).toEqual([url, expect.toBeOneOf([200, 201, 204])]);
  const groupOrder = Array.from({ length: MAX_GROUPS }, (_, place) => String(place).padStart(MAX_GROUP_ORDER / MAX_GROUPS, '"'));
  const names = [quotes(200), `${quotes(199)}'`];
  for (const name of names) await save('PATCH', `/api/distributions/${tenant.distribution.id}`, { name, groupOrder: groupOrder.reverse() });
  await save('POST', '/api/send-emails', [
    { to: customer.email, replyTo: distributor.email, subject: quotes(200), html: '&'.repeat(MAX_HTML_LENGTH) },
  ]);
  const order = JSON.stringify({ note: quotes(MAX_NOTE_LENGTH), slot: quotes(200) });
  const contact = JSON.stringify(Object.fromEntries(CONTACT_FIELDS.map((field) => [field, quotes(200)])));
  await source.query('UPDATE products SET name = $1, uom = $1, product_group = $1, description = $2', [quotes(200), quotes(2000)]);
  await source.query('UPDATE payments SET description = $1', [quotes(MAX_DESCRIPTION_LENGTH)]);
  await source.query('UPDATE emails SET response = $1', [quotes(1000)]);
  await source.query('UPDATE orders SET note = $1', [quotes(MAX_NOTE_LENGTH)]);
  await source.query('UPDATE order_audit SET before = $1, after = $1', [order]);
  await source.query('UPDATE contact_audit SET before = $1, after = $1', [contact]);
  await source.query(`UPDATE product_images SET image = decode(repeat('00', 300000), 'hex')`);
  await importTenant(target, await exported());
  const text = 'SELECT "groupOrder", name FROM distributions WHERE name = $1';
  expect((await target.query(text, [names[1]])).rows).toEqual((await source.query(text, [names[1]])).rows);
});
