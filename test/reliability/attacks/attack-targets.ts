// Lists the targets of the attack tools: every call of src/api.ts with valid ids and a valid body. Each target has its own tenant, so that
// a deletion or sign-out in one attack does not affect other attacks.
import * as z from 'zod/mini';
import { routes } from '../../../src/api.ts';
import type { Role } from '../../../src/domain/accounts/roles.ts';
import { pathOf, type Endpoint, type Schema } from '../../../src/shared/endpoint.ts';
import type { JsonSchema } from '../../data/arbitraries.ts';
import { bodyOf, callOf, makeTenant, paramsOf, PASSWORD, type Tenant } from '../../calls.ts';
import type { TestDb } from '../../database/test-db.ts';

/** sqlmap replaces this character in a request by the attacks that it tries. */
export const MARK = '*';

export interface Target {
  readonly name: string;
  readonly method: string;
  /** The path of the request. Every parameter ends with MARK, so that sqlmap attacks it. */
  readonly path: string;
  readonly cookie: string | null;
  readonly body: object | null;
  readonly headers: readonly string[];
  /** How thoroughly sqlmap attacks the target, on sqlmap's own scale. A higher level tries more variants of each attack. */
  readonly level: 1 | 2;
}

const EXAMPLES: Readonly<Record<string, unknown>> = {
  email: 'someone@test.example',
  to: 'someone@test.example',
  replyTo: 'someone@test.example',
  date: '2027-04-15',
  after: '1790000000000000.1.1',
  limit: '20',
  password: 'Four-Sheep-42',
};

const schemaOf = (schema: Schema): JsonSchema => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

/** Returns an example value that fits the schema. An object gets all its fields, including optional fields. */
function exampleOf(name: string, schema: JsonSchema): unknown {
  const [first] = schema.enum ?? [];
  if (first !== undefined) return first;
  if (name in EXAMPLES) return EXAMPLES[name];
  if (schema.anyOf) return exampleOf(name, schema.anyOf[0] ?? {});
  if (schema.type === 'array') return [exampleOf(name, schema.items ?? {})];
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  if (schema.type === 'boolean') return true;
  if (schema.type !== 'object') return 'Elm';
  return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([field, part]) => [field, exampleOf(field, part)]));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Completes `known` with values of `example`: a field without a value in `known` gets the value from `example`. */
function filled(known: unknown, example: unknown): unknown {
  if (Array.isArray(known)) return known.map((item) => filled(item, Array.isArray(example) ? example[0] : undefined));
  if (!isRecord(known) || !isRecord(example)) return known ?? example;
  return Object.fromEntries(
    [...new Set([...Object.keys(example), ...Object.keys(known)])].map((key) => [key, filled(known[key], example[key])]),
  );
}

function attackedBody(endpoint: Endpoint, tenant: Tenant): object | null {
  if (!endpoint.body) return null;
  const known = endpoint.roles.includes('public') ? undefined : bodyOf(endpoint, tenant);
  return filled(known, exampleOf('', schemaOf(endpoint.body))) as object;
}

function attackedPath(endpoint: Endpoint, tenant: Tenant): string {
  const params = paramsOf(endpoint.path, tenant);
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => `${params[name]}${MARK}`);
  const query = Object.entries(queryOf(endpoint)).map(([name, value]) => `${name}=${value}${MARK}`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function queryOf({ query }: Endpoint): Record<string, string> {
  const fields = query ? Object.entries(schemaOf(query).properties ?? {}) : [];
  return Object.fromEntries(fields.map(([name, part]) => [name, String(exampleOf(name, part))]));
}

/**
 * The calls that verify passwords. sqlmap tries fewer variants on them, because hashing a password is slow on purpose, and failed sign-ins
 * get delayed replies after 300 failures.
 */
const JUDGES_PASSWORDS = ['/api/login', '/api/user/password'];
const levelOf = ({ path }: Endpoint): Target['level'] => (JUDGES_PASSWORDS.includes(path) ? 1 : 2);

export type SignIn = (email: string, password: string) => Promise<string>;

/**
 * Returns one target for each call with a parameter and each role that may send the call. Further targets are the headers that the server
 * stores or looks up.
 */
export async function attackTargets(db: TestDb, signIn: SignIn): Promise<Target[]> {
  const targets: Target[] = [];
  const tenant = (): Promise<Tenant> => makeTenant(db, 'Attacked');
  for (const { endpoint } of routes.filter(({ endpoint: { path, body, query } }) => path.includes(':') || body || query)) {
    for (const role of endpoint.roles) {
      const attacked = await tenant();
      const cookie = role === 'public' ? null : await signIn(attacked.people[role].email, PASSWORD);
      const [path, body] = [attackedPath(endpoint, attacked), attackedBody(endpoint, attacked)];
      const [name, level] = [`${callOf(endpoint)} as ${role}`, levelOf(endpoint)];
      targets.push({ name, method: endpoint.method, path, cookie, body, headers: [], level });
    }
  }
  return [...targets, ...(await headersAsTargets(await tenant(), signIn))];
}

async function headersAsTargets({ people, distribution, product }: Tenant, signIn: SignIn): Promise<Target[]> {
  const cookie = await signIn(people.customer.email, PASSWORD);
  const body = { distributionId: distribution.id, products: [{ productId: product.id, quantity: 1 }] };
  const order = { method: 'POST', path: '/api/orders', cookie, body, headers: [`Idempotency-Key: Elm${MARK}`] };
  const read = { method: 'GET', path: '/api/user', cookie: `${cookie}${MARK}`, body: null, headers: [] };
  return [
    { name: 'the Idempotency-Key', ...order, level: 2 },
    { name: 'the cookie', ...read, level: 2 },
  ];
}

/** Returns the URLs of all reads that a role may send in a tenant. A crawl starts from these URLs. */
export const readsOf = (role: Role, tenant: Tenant): string[] =>
  routes
    .filter(({ endpoint }) => endpoint.method === 'GET' && endpoint.roles.includes(role))
    .map(({ endpoint }) => pathOf(endpoint, paramsOf(endpoint.path, tenant), queryOf(endpoint)));
