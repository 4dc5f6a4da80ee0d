// Reliability test R40: runs sqlmap on every parameter of every call, and lets wapiti crawl the screens with a session of each role. The
// test runs the application with an https URL, as in production.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEMO_SIGN_INS, loadDemo } from '../../../db/demo/load.ts';
import { ROLES, type Role } from '../../../src/domain/accounts/roles.ts';
import { makeTenant, paramsOf, PASSWORD, type Tenant } from '../../calls.ts';
import { attackTargets, readsOf, type SignIn, type Target } from './attack-targets.ts';
import { openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { startProduct } from '../setup/product.ts';
import { counted, type Outcome, type Setting } from '../reliability-test.ts';
import { withDb } from '../setup/orders-and-customers.ts';
import { attacked, type Judged } from './sqlmap.ts';
import { crawled, type Crawled } from './wapiti.ts';
import { startVulnerableServer } from './weak-server.ts';

const signInAt =
  (url: string): SignIn =>
  async (email, password) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/login`, { method: 'POST', headers, body: JSON.stringify({ email, password }) });
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
    if (cookie === '') throw new Error(`${email} could not sign in: ${answer.status} ${await answer.text()}`);
    return cookie;
  };

/**
 * Creates the demo's data and a session for each role in the demo distributor's tenant. It also creates the targets of sqlmap, each in its
 * own tenant.
 */
const createTargets = (place: TestDatabase, signIn: SignIn) =>
  withDb(place, async (db) => {
    await loadDemo(db);
    const chosen = db.selectFrom('users').select(['id', 'email', 'role']).where('email', '=', DEMO_SIGN_INS.distributor);
    const crawl = await makeTenant(db, 'Crawled', await chosen.executeTakeFirstOrThrow());
    const cookies = new Map<Role, string>();
    for (const role of ROLES) cookies.set(role, await signIn(crawl.people[role].email, PASSWORD));
    return { crawl, cookies, targets: await attackTargets(db, signIn) };
  });

/** Throws an error unless sqlmap finds the vulnerability of a server that is vulnerable on purpose. */
async function expectFound(place: TestDatabase, folder: string): Promise<void> {
  const weak = await startVulnerableServer(place);
  const open: Target = { name: 'weak', method: 'GET', path: '/?name=Elm*', cookie: null, body: null, headers: [], level: 1 };
  const { findings } = await attacked(open, weak.url, folder);
  await weak.close();
  if (!findings.some((line) => line.includes(': Parameter: '))) throw new Error('sqlmap finds nothing in a server that is open to it');
}

const SCREEN = /\{ path: '([^']+)', role: '([^']+)'/g;

async function screensOf(role: Role, tenant: Tenant): Promise<string[]> {
  const router = await readFile(new URL('../../../src/router.tsx', import.meta.url), 'utf8');
  const own = [...router.matchAll(SCREEN)].filter(([, , whose]) => whose === role).map(([, path = '']) => path);
  return own.map((path) => path.replace(/:(\w+)/g, (_, name: string) => String(paramsOf(`/:${name}`, tenant)[name])));
}

interface Attack {
  readonly url: string;
  readonly folder: string;
  readonly tell: Setting['tell'];
}

/** Attacks all targets, two of them at the same time. */
async function attackAll(targets: readonly Target[], { url, folder, tell }: Attack): Promise<Judged[]> {
  const judged: Judged[] = [];
  const inTurn = targets.values();
  const attackInTurn = async (): Promise<void> => {
    for (const target of inTurn) {
      const one = await attacked(target, url, folder);
      judged.push(one);
      tell([`${one.target}: ${counted(one.parameters, 'parameters')}, ${one.findings.length} findings`, ...one.findings].join('\n'));
    }
  };
  await Promise.all([attackInTurn(), attackInTurn()]);
  return judged;
}

async function crawlAll(cookies: ReadonlyMap<Role, string>, tenant: Tenant, { url, folder, tell }: Attack): Promise<Crawled[]> {
  const all: Crawled[] = [];
  for (const [role, cookie] of cookies) {
    const paths = [...(await screensOf(role, tenant)), ...readsOf(role, tenant), ...EVERYBODYS];
    const one = await crawled({ url, cookie, paths, folder });
    const { status } = await fetch(`${url}/api/user`, { headers: { cookie } });
    if (status !== 200) throw new Error(`wapiti was signed out as ${role}`);
    tell([`wapiti as ${role}: ${counted(one.pages, 'pages')}, ${one.findings.length} findings`, ...one.findings].join('\n'));
    all.push(one);
  }
  return all;
}

const EVERYBODYS = ['/auth', '/auth?email=someone@test.example', '/api/docs', '/source', '/no/such/page'];

export async function injection({ on, runs, tell }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  const folder = await mkdtemp(join(tmpdir(), 'feastday-attack-'));
  const product = await startProduct(place, { PUBLIC_URL: 'https://feastday.example' });
  const url = `http://127.0.0.1:${product.port}`;
  const { crawl, cookies, targets } = await createTargets(place, signInAt(url));
  await expectFound(place, folder);
  const attack = { url, folder, tell };
  const judged = await attackAll(targets.slice(0, runs(targets.length)), attack);
  const visited = await crawlAll(cookies, crawl, attack);
  await product.stop();
  await place.close();
  await rm(folder, { recursive: true });
  const findings = [...judged, ...visited].flatMap((one) => one.findings);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  const [parameters, pages] = [sum(judged.map((one) => one.parameters)), sum(visited.map((one) => one.pages))];
  const line = `${counted(parameters, 'parameters')} of ${judged.length} calls and roles, ${counted(pages, 'pages')}, ${findings.length} findings above informational`;
  return {
    line,
    holds: findings.length === 0 && [...judged.map((one) => one.parameters), ...visited.map((one) => one.pages)].every(Boolean),
  };
}
