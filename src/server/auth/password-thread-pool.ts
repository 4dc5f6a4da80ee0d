// Starts the threads that hash passwords.
import { extname } from 'node:path';
import type { Options } from '@node-rs/argon2';
import { createThreadPool } from '../thread-pool.ts';

export interface Hashing {
  readonly password: string;
  /** The hash with which the password is compared. Without `stored`, the thread creates a new hash. */
  readonly stored?: string;
  readonly cost?: Options;
}

const pool = createThreadPool<Hashing, string | boolean>({
  name: 'password',
  script: new URL(`password-thread${extname(import.meta.filename)}`, import.meta.url),
});

export const hashOnThread = async (password: string, cost: Options): Promise<string> => String(await pool.run({ password, cost }));

/** Whether the password belongs to the hash `stored`. Rejects when `stored` is not a hash. */
export const verifyOnThread = async (stored: string, password: string): Promise<boolean> => (await pool.run({ password, stored })) === true;
