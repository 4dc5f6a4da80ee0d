import { join } from 'node:path';

/** The project's folder. This file and its build (vite.server.config.ts) are at the same depth. */
export const ROOT = join(import.meta.dirname, '../..');
