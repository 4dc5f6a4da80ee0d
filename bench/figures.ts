// Computes medians, percentiles and shares of the measured values.
export interface Cell {
  readonly jobsPerS: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** `serverCpuMs` is the CPU time per job of the server alone; `cpuMs` includes PostgreSQL. */
  readonly serverCpuMs: number;
  readonly cpuMs: number | null;
  readonly peakMiB: number;
  readonly bytes: number;
  readonly errors: number;
}

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

/**
 * Returns a percentile by the nearest-rank method. The result is the smallest value for which at least the fraction `share` (0 to 1) of all
 * values is equal to it or smaller.
 */
export const percentile = (values: readonly number[], share: number): number =>
  sorted(values)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;

export function median(values: readonly number[]): number {
  const all = sorted(values);
  const middle = all.length / 2;
  return ((all[Math.ceil(middle) - 1] ?? Number.NaN) + (all[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/**
 * Combines the results of several rounds for one cell of the benchmark's main table. Each figure of the result is the median over the
 * rounds; the errors are added up.
 */
export function medianCell(cells: readonly Cell[]): Cell {
  const of = (figure: (cell: Cell) => number): number => median(cells.map(figure));
  const known = cells.map((cell) => cell.cpuMs).filter((cpu) => cpu !== null);
  return {
    jobsPerS: of((cell) => cell.jobsPerS),
    p50: of((cell) => cell.p50),
    p95: of((cell) => cell.p95),
    p99: of((cell) => cell.p99),
    serverCpuMs: of((cell) => cell.serverCpuMs),
    cpuMs: known.length === 0 ? null : median(known),
    peakMiB: of((cell) => cell.peakMiB),
    bytes: of((cell) => cell.bytes),
    errors: cells.reduce((sum, cell) => sum + cell.errors, 0),
  };
}

/** Formats a value with three significant digits. */
export const short = (value: number | null): string =>
  value === null || Number.isNaN(value) ? '-' : value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
