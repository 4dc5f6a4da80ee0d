// An imported file must not contain longer values than the application writes, because somebody may have edited the file.
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
import { findLongValue, LONGER } from './long-values.ts';
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
const COLUMNS = `SELECT '"' || a.attname || '"' AS column, format_type(a.atttypid, NULL) AS type
  FROM pg_attribute a WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND a.attlen = -1 AND a.atttypid <> 'numeric'::regtype`;

test('each text, list, JSON and binary column that an import can write has a maximum length (reliability abuse)', async () => {
  const tables = await tenantTables(target, await tablesOf(target, namesIn(await migrationsIn())));
  const seen: string[] = [];
  await target.query('BEGIN');
  for (const table of tables) {
    const staged = stagedTableName(table);
    await target.query(`CREATE TEMP TABLE ${staged} ON COMMIT DROP AS SELECT ${table.columns.join(', ')} FROM ${table.name} WITH NO DATA`);
    const { rows } = await target.query<{ column: string; type: string }>(COLUMNS, [staged]);
    for (const { column, type } of rows) {
      await target.query(`INSERT INTO ${staged} (${column}) VALUES (${LONG_VALUES[type] ?? `'a test value for ${type} is missing'`})`);
      expect(await findLongValue(target, [table])).toBe(`${table.name}.${column}`.replaceAll('"', ''));
      await target.query(`DELETE FROM ${staged}`);
      seen.push(`${table.name} ${column}`);
    }
  }
  await target.query('ROLLBACK');
  expect(seen.length).toBeGreaterThan(50);
  expect(Object.keys(LONGER).filter((column) => !seen.includes(column))).toEqual([]);
});

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
const longerIn = (column: string): string => `The file has a longer value in ${column} than Feastday writes: nothing was imported.`;

test.each([
  ['distributions', 'groupOrder', `ARRAY(SELECT 'Group ' || n FROM generate_series(1, 50000) n)`, longerIn('distributions.groupOrder')],
  ['distributions', 'groupOrder', `ARRAY(SELECT n::text FROM generate_series(1, 1001) n)`, MANY_GROUPS],
  ['emails', 'subject', `repeat('x', 601)`, longerIn('emails.subject')],
  ['emails', 'response', `repeat('x', 1001)`, longerIn('emails.response')],
  ['contact_audit', 'after', `jsonb_build_object('phone', repeat('x', 3000))`, longerIn('contact_audit.after')],
])(
  'an import refuses a file that has in %s.%s the value %s, and changes nothing (reliability abuse)',
  async (table, column, value, sentence) => {
    const before = await tableChecksums(target);
    await expect(importTenant(target, await exportedWith(table, column, value))).rejects.toThrow(sentence);
    expect(await tableChecksums(target)).toEqual(before);
  },
);

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
  await makeAdmin(there.db);
  await importTenant(target, await exported());
  const text = 'SELECT "groupOrder", name FROM distributions WHERE name = $1';
  expect((await target.query(text, [names[1]])).rows).toEqual((await source.query(text, [names[1]])).rows);
});
