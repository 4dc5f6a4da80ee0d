// A thread that hashes. It gives way to all else in the process that wants the processor, so that a hall of sign-ins slows orders little.
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { Hashing } from './password-threads.ts';

/** A third of the share of each that competes with it. */
const YIELDING = 5;
const LOWEST = 19;
// Elsewhere than on Linux it would be the priority of the whole process.
if (process.platform === 'linux') {
  try {
    setPriority(Math.min(LOWEST, getPriority() + YIELDING));
  } catch {
    // Where a sandbox forbids it, it hashes all the same.
  }
}

parentPort?.on('message', ({ password, stored, cost }: Hashing) => {
  parentPort?.postMessage(stored === undefined ? hashSync(password, cost) : verifySync(stored, password));
});
