// Measures what the main table does not contain: the response time while reports run, the duration of a single report, the start time, and
// the memory of an idle server.
import { setTimeout as pause } from 'node:timers/promises';
import type { Driver } from './clients.ts';
import { SIDES, type Databases, type Side } from './environment/databases.ts';
import { median, percentile } from './figures.ts';
import type { Bench } from './main-table.ts';
import { memoryOf } from './environment/processes.ts';
import { startServer } from './environment/servers.ts';

export type Both<Figures> = Record<Side, Figures>;
const REPORTS = 10;
const ROUNDS = 3;

export interface Responsiveness {
  /** The latency in milliseconds of calls to /api/health while ten clients read reports without a pause. `p50` is the median. */
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

/**
 * Measures the latency of /api/health while other clients read reports. A second client process sends the health calls, because the process
 * that reads the reports is busy.
 */
export async function underReports({ driver, servers, plan }: Bench, second: Driver): Promise<Both<Responsiveness>> {
  const of = async (side: Side): Promise<Responsiveness> => {
    const { port } = servers[side];
    const asked = { port, from: 0, seconds: plan.healthSeconds };
    const reports = driver.run({ ...asked, job: 'report', clients: REPORTS, seconds: plan.healthSeconds + 0.5 });
    await pause(300);
    const { latencies } = await second.run({ ...asked, job: side === 'ours' ? 'health' : 'floorHealth', clients: 1, pause: 5 });
    await reports;
    return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), worst: Math.max(...latencies) };
  };
  const rounds: Both<Responsiveness>[] = [];
  for (let round = 0; round < Math.min(ROUNDS, plan.rounds); round++) rounds.push({ floor: await of('floor'), ours: await of('ours') });
  const middle = (side: Side): Responsiveness => {
    const figure = (name: keyof Responsiveness): number => median(rounds.map((round) => round[side][name]));
    return { p50: figure('p50'), p99: figure('p99'), worst: figure('worst') };
  };
  return { floor: middle('floor'), ours: middle('ours') };
}

/** Measures reports that run one at a time; returns the median duration in milliseconds. */
export async function reportAlone({ driver, servers }: Bench): Promise<Both<number>> {
  const times: Both<number[]> = { floor: [], ours: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of SIDES) {
      const { latencies } = await driver.run({ port: servers[side].port, job: 'report', clients: 1, from: 0, seconds: 0.8 });
      times[side].push(percentile(latencies, 0.5));
    }
  }
  return { floor: median(times.floor), ours: median(times.ours) };
}

export interface Start {
  /** Milliseconds from the start of the process to its first response with status 200. */
  readonly firstAnswerMs: number;
  /** The memory of the idle process, one and a half seconds after its first response with status 200. */
  readonly idleMiB: number;
}

export async function starts(databases: Databases, rounds: number): Promise<Both<Start>> {
  const found: Both<Start[]> = { floor: [], ours: [] };
  for (let round = 0; round < rounds; round++) {
    for (const side of SIDES) {
      const server = await startServer(side, databases.urlOf(side));
      await pause(1500);
      found[side].push({ firstAnswerMs: server.startMs, idleMiB: await memoryOf(server.pid) });
      await server.stop();
    }
  }
  const middle = (side: Side): Start => ({
    firstAnswerMs: median(found[side].map((start) => start.firstAnswerMs)),
    idleMiB: median(found[side].map((start) => start.idleMiB)),
  });
  return { floor: middle('floor'), ours: middle('ours') };
}
