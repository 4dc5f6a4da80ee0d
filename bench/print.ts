// Formats the figures as tables for a terminal or a Markdown page.
import type { Both, Responsiveness, Start } from './other-figures.ts';
import type { Counted } from './environment/count.ts';
import { short, type Cell } from './figures.ts';
import type { Line } from './main-table.ts';

export interface Result {
  readonly date: string;
  readonly lines: readonly Line[];
  readonly report: { readonly alone: Both<number>; readonly amongOthers: Both<number> | null };
  readonly health: Both<Responsiveness>;
  readonly start: Both<Start>;
  readonly counted: Both<Counted>;
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row), ''].join('\n');

/** Formats Feastday's figure, followed by the baseline's in parentheses. */
const pair = (ours: number | null | undefined, floor: number | null | undefined): string =>
  `${short(ours ?? null)} (${short(floor ?? null)})`;

function lineOf({ job, clients, cells: { ours, floor, floorCache }, ofFloor, ofFloorCache, cpuOfFloor }: Line): string[] {
  const both = (figure: (cell: Cell) => number | null): string => pair(ours && figure(ours), floor && figure(floor));
  return [
    job,
    String(clients),
    both((cell) => cell.jobsPerS),
    ofFloor.toFixed(2),
    ofFloorCache === null ? '' : `${ofFloorCache.toFixed(2)} of ${short(floorCache?.jobsPerS ?? null)}`,
    both((cell) => cell.p50),
    both((cell) => cell.p95),
    both((cell) => cell.p99),
    both((cell) => cell.serverCpuMs),
    both((cell) => cell.cpuMs),
    short(cpuOfFloor),
    both((cell) => cell.peakMiB),
    both((cell) => cell.bytes / 1000),
    String((ours?.errors ?? 0) + (floor?.errors ?? 0)),
  ];
}

const HEAD =
  'job|clients|jobs/s|share|share of the floor with memory|p50 ms|p95 ms|p99 ms|server CPU ms|with database|ratio|peak MiB|kB|errors';

export function textOf({ lines, report, health, start, counted }: Result): string {
  const others = report.amongOthers;
  const rest = [
    ['report alone, ms', pair(report.alone.ours, report.alone.floor)],
    ['report beside 25,000 other orders, ms', others ? pair(others.ours, others.floor) : 'not measured'],
    ['health under ten reports, p50 ms', pair(health.ours.p50, health.floor.p50)],
    ['health under ten reports, p99 ms', pair(health.ours.p99, health.floor.p99)],
    ['health under ten reports, worst ms', pair(health.ours.worst, health.floor.worst)],
    ['start to the first 200, ms', pair(start.ours.firstAnswerMs, start.floor.firstAnswerMs)],
    ['idle memory, MiB', pair(start.ours.idleMiB, start.floor.idleMiB)],
    ['orders acknowledged', pair(counted.ours.acknowledged, counted.floor.acknowledged)],
    ['orders in the database', pair(counted.ours.placed, counted.floor.placed)],
    ['of them without 12 lines and 12 audit rows', pair(counted.ours.wrong, counted.floor.wrong)],
    [
      'audit rows of edits that are missing (Feastday joins changes of one line within a minute)',
      pair(counted.ours.auditMissing, counted.floor.auditMissing),
    ],
  ];
  return ['Ours (the floor)', '', tableOf(HEAD.split('|'), lines.map(lineOf)), tableOf(['figure', 'ours (the floor)'], rest)].join('\n');
}
