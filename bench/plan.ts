// Defines the size of a measurement. The complete measurement takes some minutes; `--quick` measures only a part.
import { given } from './command.ts';
import { EDIT_JOBS, type JobName } from './jobs.ts';

export interface Plan {
  readonly jobs: readonly JobName[];
  readonly clients: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  /**
   * The seconds during which jobs run on each server before the measurement starts. V8 compiles the servers' code in this time; otherwise
   * the compilation would slow the first measurement.
   */
  readonly warmUpSeconds: number;
  readonly healthSeconds: number;
  /** Whether the database also contains orders of distributions that the measurement does not read or change. */
  readonly others: boolean;
  /** Whether each order has its own Idempotency-Key, as Feastday's pages send it. The baseline supports no keys. */
  readonly keyed: boolean;
  /** Arguments of Feastday's Node process that record a CPU profile. */
  readonly nodeArgs: readonly string[];
}

const WHOLE: Plan = {
  jobs: ['place', 'open', 'edit', 'report'],
  clients: [1, 16, 64],
  rounds: 3,
  seconds: 1.2,
  warmUpSeconds: 5,
  healthSeconds: 3,
  others: true,
  keyed: false,
  nodeArgs: [],
};
const CHOICE: readonly JobName[] = [...new Set<JobName>([...WHOLE.jobs, 'placeLimited', ...EDIT_JOBS])];
const QUICK: Plan = { ...WHOLE, clients: [1, 16], rounds: 1, seconds: 1, warmUpSeconds: 1, healthSeconds: 2, others: false };

/**
 * Reads the command's options: `--quick`, `--profile` (writes a .cpuprofile of Feastday), `--jobs=place,edit` (also placeLimited, editOneLower,
 * editAllLower), `--clients=16`, `--rounds=5`, `--seconds=2` and `--keyed`.
 */
export function readPlan(): Plan {
  const args = process.argv;
  const plan = args.includes('--quick') ? QUICK : WHOLE;
  return {
    ...plan,
    jobs: given('jobs') === undefined ? plan.jobs : CHOICE.filter((job) => given('jobs')?.split(',').includes(job)),
    clients: given('clients')?.split(',').map(Number) ?? plan.clients,
    rounds: Number(given('rounds') ?? plan.rounds),
    seconds: Number(given('seconds') ?? plan.seconds),
    keyed: args.includes('--keyed'),
    nodeArgs: args.includes('--profile') ? ['--cpu-prof', '--cpu-prof-dir=bench/profiles'] : [],
  };
}
