// Starts and kills the programs of a database cluster. A program can also be suspended, which looks to the others like a lost network.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { once } from 'node:events';
import { accountFor, command, NOBODY } from '../../../src/server/database/embedded/native-binaries.ts';
import { onCleanup } from '../setup/cleanups.ts';

export interface ClusterProcess {
  readonly pid: number;
  readonly kill: () => Promise<void>;
  readonly signal: (signal: NodeJS.Signals) => void;
}

/** Starts a program under an account that may use the folder `root`. The program's output is written to the file `log`. */
export async function startProcess(program: string, args: string[], { root, log }: { root: string; log: string }): Promise<ClusterProcess> {
  const { file, args: rest, options } = command(program, args, await accountFor(root, NOBODY));
  const output = openSync(log, 'a');
  // The cluster programs need a home folder and a UTF-8 locale.
  const env = { ...options.env, LC_ALL: 'C.UTF-8', HOME: root };
  const child: ChildProcess = spawn(file, rest, { ...options, env, stdio: ['ignore', output, output] });
  closeSync(output);
  const signal = (name: NodeJS.Signals): void => void child.kill(name);
  const ended = once(child, 'exit');
  const kill = onCleanup(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    signal('SIGKILL');
    await ended;
  });
  return { pid: child.pid ?? 0, kill, signal };
}
