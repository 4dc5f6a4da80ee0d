// This script of a worker thread hashes passwords at low priority, so that many sign-ins hardly delay orders.
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { Hashing } from './password-thread-pool.ts';
import { lowerThreadPriority } from '../thread-pool.ts';

lowerThreadPriority();

parentPort?.on('message', ({ password, stored, cost }: Hashing) => {
  parentPort?.postMessage(stored === undefined ? hashSync(password, cost) : verifySync(stored, password));
});
