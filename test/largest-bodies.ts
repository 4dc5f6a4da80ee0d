// Creates the largest bodies that a call accepts. Every string, list and record in such a body is as long as the call's contract allows.
import { sql } from 'kysely';
import sharp from 'sharp';
import * as z from 'zod/mini';
import { MAX_AT_ONCE } from '../src/features/actuals/contract.ts';
import { MAX_DESCRIPTION_LENGTH } from '../src/features/payments/contract.ts';
import { MAX_GROUP_ORDER, MAX_GROUPS } from '../src/features/distributions/contract.ts';
import { MAX_HTML_LENGTH, MAX_MAILS } from '../src/features/emails/contract.ts';
import { MAX_FEES } from '../src/features/fees/contract.ts';
import { MAX_LINES } from '../src/features/orders/contract.ts';
import { MAX_ORDERS } from '../src/features/print/contract.ts';
import { MAX_CREDENTIAL_LENGTH, MAX_PART_LENGTH } from '../src/features/second-factor/contract.ts';
import { MAX_USERS } from '../src/features/users/contract.ts';
import { BODY_LIMIT, type Endpoint } from '../src/shared/endpoint.ts';
import { MAX_PASSWORD_LENGTH, MAX_TEXT_LENGTH } from '../src/shared/fields.ts';
import { MAX_PICTURE_FILE } from '../src/shared/picture-limits.ts';
import { bodyOf, callOf, PASSWORD, type Tenant } from './calls.ts';
import type { JsonSchema } from './data/arbitraries.ts';
import { makeCustomer, makeProduct } from './data/factories.ts';
import { makeOrder } from './data/order-rows.ts';
import type { TestApp } from './test-app.ts';

/** A tenant that has as many products, customers and weighed units as one call may name. */
export interface LargeTenant extends Tenant {
  readonly productIds: readonly number[];
  readonly customerEmails: readonly string[];
  readonly customerIds: readonly number[];
  readonly picture: string;
}

export async function enlarge({ db }: TestApp, tenant: Tenant): Promise<LargeTenant> {
  const { distribution, people } = tenant;
  const place = [people.distributor.id, distribution.id];
  const { rows: products } = await sql<{
    id: number;
  }>`INSERT INTO products ("distributorId", "distributionId", name, unit_price, uom, product_group)
    SELECT ${place[0]}, ${place[1]}, rpad('Product ' || n, ${MAX_TEXT_LENGTH}::int, 'x'), 1000, 'lb', 'Group ' || n % 100
    FROM generate_series(1, ${MAX_LINES}::int) n RETURNING id`.execute(db);
  const { rows: customers } = await sql<{ id: number; email: string }>`INSERT INTO users (email, role, "distributorId", "lastLoginAt")
    SELECT 'large' || n || '@' || split_part(${people.customer.email}, '@', 2), 'customer', ${place[0]}, now()
    FROM generate_series(1, ${MAX_MAILS}::int) n RETURNING id, email`.execute(db);
  const weighed = await makeProduct(db, distribution, { name: 'Weighed', unit_qty_is_estimate: true });
  const { id: orderId, lines: weighedLines } = await makeOrder(db, distribution, await makeCustomer(db, people.distributor), [
    [weighed, MAX_AT_ONCE],
  ]);
  const image = await sharp({ create: { width: 6000, height: 5000, channels: 3, background: '#932030' } })
    .png()
    .toBuffer();
  if (image.length > MAX_PICTURE_FILE) throw new Error('The picture is larger than an upload may be.');
  return {
    ...tenant,
    orderId,
    weighedLineId: weighedLines[0]?.id ?? 0,
    productIds: products.map(({ id }) => id),
    customerEmails: customers.map(({ email }) => email),
    customerIds: customers.map(({ id }) => id),
    picture: image.toString('base64'),
  };
}

/** A function that returns a string of `length` characters. */
export type Filler = (length: number) => string;

const lines = ({ productIds }: LargeTenant, turn: number) => productIds.map((productId) => ({ productId, quantity: 1 + (turn % 2) }));

/** Returns at most `most` rows, but no more than fit into the maximum body of the call. */
function rowsThatFit<Row>(endpoint: Endpoint, most: number, row: (index: number) => Row): Row[] {
  const bytes = Buffer.byteLength(JSON.stringify(row(most - 1))) + 1;
  const room = (endpoint.bodyLimit ?? BODY_LIMIT) - 1000;
  return Array.from({ length: Math.min(most, Math.floor(room / bytes)) }, (_, index) => row(index));
}

interface Making {
  readonly endpoint: Endpoint;
  readonly tenant: LargeTenant;
  readonly fill: Filler;
  /** The number of the attempt. It changes the values, so that each attempt really changes what the previous attempt has saved. */
  readonly turn: number;
}

const LONG_EMAIL = `${'a.'.repeat(30)}a@${'b.'.repeat(90)}example`;

const ownBody = ({ endpoint, tenant }: Making): readonly object[] => [bodyOf(endpoint, tenant) ?? {}];

const LONGEST_ZONE = 'America/Argentina/ComodRivadavia';

/** Values for all fields of a product. With them, a change of many products has as many values as the call allows. */
const everyField = (name: string) => ({
  name,
  description: null,
  unit_price: 1000,
  unit_qty: 1,
  uom: 'lb',
  unit_qty_is_estimate: false,
  max_order_qty: 0,
  product_group: null,
  product_code: null,
  total_limit: null,
});

const weights = (tenant: Making['tenant'], turn: number) =>
  Object.fromEntries(Array.from({ length: MAX_AT_ONCE }, (_, index) => [`${tenant.weighedLineId}-${index}`, 4.5 + turn]));

/**
 * Creates the bodies of the calls for which this file cannot derive a body from the schema. They contain lists, records or files, or values
 * that depend on each other.
 */
const LARGEST: Record<string, (making: Making) => readonly object[]> = {
  'POST /api/login': ({ tenant }) => [
    { email: LONG_EMAIL, password: 'x'.repeat(MAX_PASSWORD_LENGTH) },
    { email: tenant.people.agent.email, password: PASSWORD },
  ],
  'POST /api/reset-password/request': () => [{ email: LONG_EMAIL }],
  'POST /api/reset-password/check': ({ fill }) => [{ token: fill(MAX_TEXT_LENGTH) }],
  'POST /api/reset-password/reset': ({ fill }) => [{ token: fill(MAX_TEXT_LENGTH), password: `Aa1${'x'.repeat(MAX_PASSWORD_LENGTH - 3)}` }],
  'POST /api/register': ({ fill }) => [{ email: LONG_EMAIL, code: fill(MAX_TEXT_LENGTH) }],
  'POST /api/login/second-factor': ({ fill }) => [{ code: fill(20) }, { recoveryCode: fill(100) }],
  'POST /api/user/second-factor/passkeys': ({ fill }) => [
    {
      name: fill(MAX_TEXT_LENGTH),
      passkey: {
        id: fill(MAX_CREDENTIAL_LENGTH),
        rawId: fill(MAX_CREDENTIAL_LENGTH),
        type: 'public-key',
        response: {
          clientDataJSON: fill(MAX_PART_LENGTH),
          attestationObject: fill(MAX_PART_LENGTH),
          transports: Array.from({ length: 20 }, () => fill(MAX_TEXT_LENGTH)),
        },
      },
    },
  ],
  'POST /api/user/second-factor/passkeys/start': ownBody,
  'POST /api/user/second-factor/passkeys/:passkeyId/remove': ownBody,
  'POST /api/user/second-factor/code-app/start': ownBody,
  'POST /api/user/second-factor/code-app/remove': ownBody,
  'POST /api/user/second-factor/recovery-codes': ownBody,
  'POST /api/user/password': ownBody,
  'POST /api/distributions/:id/products/:productId/share': ownBody,
  'POST /api/users/:role': ({ endpoint, tenant, fill, turn }) => {
    const text = fill(MAX_TEXT_LENGTH);
    const contact = { firstName: text, lastName: text, address: text, city: text, state: text, zip: text, phone: text };
    const emailOf = (index: number): string => `new${turn}-${index}@${tenant.people.customer.email.split('@')[1]}`;
    const replyTo = tenant.people.distributor.email;
    return [
      { replyTo, invite: 'later', users: rowsThatFit(endpoint, MAX_USERS, (index) => ({ ...contact, email: emailOf(index) })) },
      { replyTo, invite: 'later', users: rowsThatFit(endpoint, MAX_USERS, (index) => ({ email: emailOf(index + MAX_USERS) })) },
    ];
  },
  'PATCH /api/organization': () => [{ timeZone: LONGEST_ZONE }],
  'POST /api/organization': ({ fill }) => {
    const text = fill(MAX_TEXT_LENGTH);
    return [{ name: text, address: text, city: text, state: text, zip: text, phone: text, timeZone: LONGEST_ZONE }];
  },
  'POST /api/send-emails': ({ endpoint, tenant, fill }) => {
    const mail = { replyTo: tenant.people.distributor.email, subject: fill(MAX_TEXT_LENGTH) };
    const to = (index: number): string => tenant.customerEmails[index % tenant.customerEmails.length] ?? '';
    return [
      rowsThatFit(endpoint, 20, (index) => ({ ...mail, to: to(index), html: `${100 + index}${fill(MAX_HTML_LENGTH - 3)}` })),
      rowsThatFit(endpoint, MAX_MAILS, (index) => ({ ...mail, to: to(index), html: `${index} ${fill(400)}` })),
    ];
  },
  'PATCH /api/distributions/:id': ({ endpoint, fill }) => [
    { groupOrder: rowsThatFit(endpoint, MAX_GROUPS, (index) => `${1000 + index}${fill(MAX_GROUP_ORDER / MAX_GROUPS - 4)}`) },
  ],
  'POST /api/distributions/:id/copy': ({ tenant, fill }) => [
    { name: fill(MAX_TEXT_LENGTH), date: '2028-03-12', estimates: 'measured', keep: tenant.productIds },
  ],
  'PATCH /api/distributions/:id/products': ({ endpoint, tenant, fill, turn }) => [
    {
      products: tenant.productIds.map((id, index) => ({
        id,
        before: everyField(`Product ${index + 1}`.padEnd(MAX_TEXT_LENGTH, 'x')),
        after: everyField(`Renamed ${turn}-${index}`),
      })),
    },
    {
      products: tenant.productIds.map((id) => ({ id, before: { unit_price: 1000 + turn }, after: { unit_price: 1001 + turn } })),
    },
    {
      products: rowsThatFit(endpoint, tenant.productIds.length, (index) => ({
        id: tenant.productIds[index] ?? 0,
        before: { description: null },
        after: { description: fill(2000) },
      })),
    },
  ],
  'POST /api/distributions/:id/repricing': ({ tenant, fill, turn }) => [
    {
      products: tenant.productIds.map((id) => ({ id, unit_price: 1200 + turn, unit_qty: 1, unit_qty_is_estimate: false })),
      cleared: tenant.productIds,
      newFees: Array.from({ length: MAX_FEES - 1 }, () => ({ name: fill(MAX_TEXT_LENGTH), type: 'flat', amount: 100 })),
    },
  ],
  // This call removes unused customers. It removes none of these customers, because all of them have signed in.
  'POST /api/unused-customers/remove': ({ tenant }) => [{ userIds: tenant.customerIds }],
  'POST /api/distributions/:id/print-orders': ({ endpoint }) => [{ orderIds: rowsThatFit(endpoint, MAX_ORDERS, (index) => index + 1) }],
  'POST /api/product-images/:productCode': ({ tenant }) => [{ image: tenant.picture }],
  'POST /api/orders': ({ tenant, turn }) => [{ distributionId: tenant.distribution.id, products: lines(tenant, turn) }],
  'POST /api/distributor/order': ({ tenant, turn }) => [
    { distributionId: tenant.distribution.id, customerId: tenant.people.customer.id, products: lines(tenant, turn) },
  ],
  'POST /api/order-product-quantities/:orderId': ({ tenant, turn }) => [weights(tenant, turn)],
  'POST /api/orders/:orderId/payments': ({ endpoint, tenant, turn, fill }) => [
    {
      ...(bodyOf(endpoint, tenant) as object),

      description: fill(MAX_DESCRIPTION_LENGTH),
      seenWeights: weights(tenant, turn),
    },
  ],
};

interface BoundedSchema extends JsonSchema {
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** Returns a copy of the valid body `valid` in which every free string has the maximum length of the schema. */
function filled(schema: BoundedSchema, valid: unknown, fill: Filler): unknown {
  // An optional list or object that the valid body does not contain stays absent.
  if (valid === undefined && (schema.type === 'array' || schema.type === 'object')) return undefined;
  if (schema.type === 'array' || typeof schema.additionalProperties === 'object')
    throw new Error('give it a body in test/largest-bodies.ts');
  if (schema.type === 'object') {
    const known = valid as Record<string, unknown>;
    const values = Object.entries(schema.properties ?? {}).map(([name, part]) => [name, filled(part, known[name], fill)]);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }
  const text = [schema, ...(schema.anyOf ?? [])].find(
    ({ type, maxLength, pattern, format }: BoundedSchema) => type === 'string' && maxLength !== undefined && !pattern && !format,
  ) as BoundedSchema | undefined;
  return text ? fill(text.maxLength ?? 0) : valid;
}

export function largestBodies(making: Making): readonly (object | undefined)[] {
  const { endpoint, tenant, fill } = making;
  if (!endpoint.body) return [undefined];
  const own = LARGEST[callOf(endpoint)];
  if (own) return own(making);
  const schema = z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return [filled(schema, bodyOf(endpoint, tenant), fill) as object];
}
