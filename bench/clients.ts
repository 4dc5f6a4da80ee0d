// Starts the client processes, and measures one cell of the benchmark's main table (main-table.ts): the latencies that the clients see, and
// the CPU time and memory that the server uses.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Order, Outcome } from './driver.ts';
import { percentile, type Cell } from './figures.ts';
import { cpuOf, cpuOfFamily, forgetPeak, peakOf } from './environment/processes.ts';
import type { Server } from './environment/servers.ts';

export interface Driver {
  run(order: Order): Promise<Outcome>;
  stop(): void;
}

export function startDriver(): Driver {
  const child = fork(join(import.meta.dirname, 'driver.ts'), { stdio: 'inherit' });
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  return {
    async run(order) {
      child.send(order);
      const [outcome] = (await once(child, 'message', { signal: ended.signal })) as [Outcome];
      return outcome;
    },
    stop: () => void child.kill(),
  };
}

export interface Measured {
  readonly cell: Cell;
  /** The number of jobs that this measurement started. The next measurement continues the numbering of the jobs after them. */
  readonly started: number;
  readonly fault: string | null;
}

export async function measure(driver: Driver, server: Server, postmaster: number | null, order: Omit<Order, 'port'>): Promise<Measured> {
  const cpu = async (): Promise<{ server: number; all: number | null }> => {
    const own = await cpuOf(server.pid);
    return { server: own, all: postmaster === null ? null : own + (await cpuOfFamily(postmaster)) };
  };
  await forgetPeak(server.pid);
  const before = await cpu();
  const { latencies, elapsedMs, bytes, errors, fault } = await driver.run({ ...order, port: server.port });
  const after = await cpu();
  const jobs = latencies.length;
  const cell = {
    jobsPerS: (jobs / elapsedMs) * 1000,
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    serverCpuMs: (after.server - before.server) / jobs,
    cpuMs: after.all === null || before.all === null ? null : (after.all - before.all) / jobs,
    peakMiB: await peakOf(server.pid),
    bytes: bytes / jobs,
    errors,
  };
  return { cell, started: jobs + errors, fault };
}
