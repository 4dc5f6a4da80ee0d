// Measures the main table, which has one line for each job and number of clients. Feastday and the baseline are measured alternately, so
// that other load on the machine affects both.
import { measure, type Driver, type Measured } from './clients.ts';
import type { Databases } from './environment/databases.ts';
import { median, medianCell, type Cell } from './figures.ts';
import type { JobName } from './jobs.ts';
import type { Plan } from './plan.ts';
import type { Server, ServerName } from './environment/servers.ts';

export interface Bench {
  readonly plan: Plan;
  readonly driver: Driver;
  readonly servers: Readonly<Record<ServerName, Server>>;
  readonly databases: Databases;
  /** The number of runs started so far, by server and job. The key `ours place`, for example, stands for Feastday and the job `place`. */
  readonly begun: Map<string, number>;
}

export interface Line {
  readonly job: JobName;
  readonly clients: number;
  readonly cells: Partial<Record<ServerName, Cell>>;
  /**
   * `ofFloor` is Feastday's jobs per second divided by those of the baseline. `ofFloorCache` is the same ratio to the second baseline
   * server, which caches response bodies. Both figures are medians over the rounds.
   */
  readonly ofFloor: number;
  readonly ofFloorCache: number | null;
  /** Feastday's CPU time per job, including PostgreSQL, divided by that of the baseline. */
  readonly cpuOfFloor: number;
}

async function cellOf(bench: Bench, name: ServerName, job: JobName, clients: number): Promise<Cell> {
  const { plan, driver, servers, databases, begun } = bench;
  const key = `${name} ${job}`;
  const from = begun.get(key) ?? 0;
  const { cell, started, fault }: Measured = await measure(driver, servers[name], databases.postmaster, {
    job,
    clients,
    from,
    seconds: plan.seconds,
    keyed: plan.keyed,
  });
  begun.set(key, from + started);
  if (fault !== null) console.error(`${name}: ${fault}`);
  // Deletes the order confirmations that Feastday has not sent yet. Sending them would slow the next measurement.
  if (name === 'ours') await databases.on('ours', (client) => client.query(`DELETE FROM emails WHERE status = 'queued'`));
  return cell;
}

export async function measureJob(bench: Bench, job: JobName, clients: number): Promise<Line> {
  const names: ServerName[] = job === 'open' ? ['floor', 'ours', 'floorCache'] : ['floor', 'ours'];
  const rounds: Partial<Record<ServerName, Cell>>[] = [];
  for (let round = 0; round < bench.plan.rounds; round++) {
    const cells: Partial<Record<ServerName, Cell>> = {};
    for (const name of round % 2 === 0 ? names : names.toReversed()) cells[name] = await cellOf(bench, name, job, clients);
    rounds.push(cells);
  }
  const share = (name: ServerName, figure: (cell: Cell) => number | null): number =>
    median(rounds.map(({ ours, [name]: other }) => (ours && other ? (figure(ours) ?? NaN) / (figure(other) ?? NaN) : NaN)));
  const all = names.map((name) => [name, medianCell(rounds.map((cells) => cells[name]).filter((cell) => cell !== undefined))] as const);
  return {
    job,
    clients,
    cells: Object.fromEntries(all),
    ofFloor: share('floor', (cell) => cell.jobsPerS),
    ofFloorCache: job === 'open' ? share('floorCache', (cell) => cell.jobsPerS) : null,
    cpuOfFloor: share('floor', (cell) => cell.cpuMs),
  };
}

/** Runs every job once before the measurement, so that statements are prepared and V8 has compiled the code. */
export async function warmUp(bench: Bench): Promise<void> {
  const { plan } = bench;
  const warming = { ...bench, plan: { ...plan, rounds: 1, seconds: plan.warmUpSeconds } };
  for (const job of bench.plan.jobs) await measureJob(warming, job, 16);
}
