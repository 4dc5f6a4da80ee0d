// npm run copy-of-3000: copies a distribution that has 3,000 products and 100,000 recorded weights. The copy gets its estimates from these
// weights (contract §13). The command fails when the copy takes more than 2 s, or when a product or a new estimate is missing in the copy.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closeAll, keep } from '../command.ts';
import { createProductDatabase } from '../environment/databases.ts';
import { startServer } from '../environment/servers.ts';
import { percentile, short } from '../figures.ts';
import { tableOf } from '../print.ts';

const ROUNDS = 9;
const GOAL_MS = 2000;
const COPIED = `SELECT count(*)::int AS products, count(*) FILTER (WHERE unit_qty_is_estimate AND unit_qty <> 5)::int AS changed
  FROM products WHERE "distributionId" = $1`;

async function timed(work: () => Promise<Response>): Promise<{ ms: number; reply: unknown }> {
  const began = performance.now();
  const response = await work();
  if (!response.ok) throw new Error(`${response.url} was answered ${response.status} ${await response.text()}`);
  const reply: unknown = await response.json();
  return { ms: performance.now() - began, reply };
}

try {
  const database = keep(await createProductDatabase('copy', await readFile(join(import.meta.dirname, 'data.sql'), 'utf8'), {}));
  const server = keep(await startServer('ours', database.url));
  const url = `http://127.0.0.1:${server.port}/api/distributions/1`;
  const headers = { cookie: 'sid=s1', 'content-type': 'application/json' };
  const times = { list: [] as number[], copy: [] as number[] };
  for (let round = 1; round <= ROUNDS; round++) {
    times.list.push((await timed(() => fetch(`${url}/estimates`, { headers }))).ms);
    const body = JSON.stringify({ name: `Copy ${round}`, date: '2028-04-10', estimates: 'measured' });
    const { ms, reply } = await timed(() => fetch(`${url}/copy`, { method: 'POST', headers, body }));
    times.copy.push(ms);
    const { rows } = await database.on((client) =>
      client.query<{ products: number; changed: number }>(COPIED, [(reply as { id: number }).id]),
    );
    if (rows[0]?.products !== 3000 || rows[0].changed === 0) throw new Error(`the copy is not complete: ${JSON.stringify(rows[0])}`);
  }
  const rowOf = (name: string, all: readonly number[]): string[] => [name, ...[0.5, 1].map((share) => short(percentile(all, share)))];
  console.log(tableOf(['call', 'p50 ms', 'worst ms'], [rowOf('list of estimates', times.list), rowOf('copy', times.copy)]));
  if (Math.max(...times.copy) > GOAL_MS) process.exitCode = 1;
} finally {
  await closeAll();
}
