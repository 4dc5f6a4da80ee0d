import { join } from 'node:path';

/**
 * The project's folder. This file and its build (vite.server.config.ts) are equally deep in it, so the relative path is the same for both.
 */
export const ROOT = join(import.meta.dirname, '../..');
