// How much is measured: the whole takes some minutes, `--quick` a part of that.
import { EDIT_JOBS, type JobName } from './jobs.ts';

export interface Plan {
  readonly jobs: readonly JobName[];
  readonly clients: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  /**
   * For each job and side, before anything is measured. The more code a server has, the longer V8 compiles it beside its work, and the
   * worse comes out what is measured first.
   */
  readonly warmUpSeconds: number;
  readonly healthSeconds: number;
  /** Orders of other distributions. */
  readonly others: boolean;
  /** Each order under an Idempotency-Key of its own, as the product's pages send it. The floor knows no keys. */
  readonly keyed: boolean;
  /** For our server's process. */
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
const CHOICE: readonly JobName[] = [...new Set([...WHOLE.jobs, ...EDIT_JOBS])];
const QUICK: Plan = { ...WHOLE, clients: [1, 16], rounds: 1, seconds: 1, warmUpSeconds: 1, healthSeconds: 2, others: false };

/** `--quick`, `--profile` (a .cpuprofile of our server), `--jobs=place,edit` (also editOneLower, editAllLower), `--clients=16`, `--rounds=5`, `--seconds=2`, `--keyed`. */
export function planOf(args: readonly string[]): Plan {
  const given = (name: string): string | undefined => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
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
