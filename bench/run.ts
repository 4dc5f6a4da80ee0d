// npm run bench: compares Feastday's calls with those of a minimal baseline server on the same database server. The command never fails
// because of a figure.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportAlone, starts, underReports } from './other-figures.ts';
import { startDriver } from './clients.ts';
import { closeAll, keep, tell } from './command.ts';
import { countOrders } from './environment/count.ts';
import { createDatabases, SIDES, type Databases, type Side } from './environment/databases.ts';
import { measureJob, warmUp, type Bench, type Line } from './main-table.ts';
import { EDIT_JOBS, OTHERS } from './jobs.ts';
import { insertOthers, TABLES } from './environment/other-orders.ts';
import { readPlan } from './plan.ts';
import { textOf, type Result } from './print.ts';
import { startServer } from './environment/servers.ts';

async function grid(bench: Bench): Promise<Line[]> {
  const lines: Line[] = [];
  for (const job of bench.plan.jobs) {
    for (const clients of bench.plan.clients) {
      const line = await measureJob(bench, job, clients);
      tell(`${job}, ${clients} clients: ${line.ofFloor.toFixed(2)} of the floor`);
      lines.push(line);
    }
  }
  return lines;
}

async function amongOthers(bench: Bench) {
  if (!bench.plan.others) return null;
  for (const side of SIDES) await bench.databases.on(side, (client) => insertOthers(client, TABLES[side], OTHERS.orders));
  tell(`${OTHERS.orders} other orders are in`);
  return await reportAlone(bench);
}

async function measureAll(databases: Databases): Promise<Result> {
  const plan = readPlan();
  const start = await starts(databases, plan.rounds);
  tell('starts measured');
  const floor = keep(await startServer('floor', databases.urlOf('floor')));
  const floorCache = keep(await startServer('floorCache', databases.urlOf('floor')));
  const ours = keep(await startServer('ours', databases.urlOf('ours'), plan.nodeArgs));
  const bench: Bench = {
    plan,
    driver: keep(startDriver()),
    servers: { floor, floorCache, ours },
    databases,
    begun: new Map(),
  };
  await warmUp(bench);
  const alone = await reportAlone(bench);
  const report = { alone, amongOthers: await amongOthers(bench) };
  const lines = await grid(bench);
  const health = await underReports(bench, keep(startDriver()));
  const countOf = (side: Side) => {
    const begun = (job: string): number => bench.begun.get(`${side} ${job}`) ?? 0;
    const edited = EDIT_JOBS.reduce((sum, job) => sum + begun(job), 0);
    return countOrders(databases, side, { placed: begun('place') + begun('placeLimited'), edited });
  };
  const counted = { floor: await countOf('floor'), ours: await countOf('ours') };
  return { date: new Date().toISOString().slice(0, 10), lines, report, health, start, counted };
}

process.once('SIGINT', () => void closeAll().then(() => process.exit(130)));
try {
  const databases = keep(await createDatabases());
  tell('two databases with the same data');
  const result = await measureAll(databases);
  console.log(textOf(result));
  console.log(JSON.stringify(result));
  await writeFile(join(import.meta.dirname, 'last.json'), `${JSON.stringify(result, null, 2)}\n`);
} finally {
  await closeAll();
}
