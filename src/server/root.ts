import { join } from 'node:path';

/** The folder of the product: from here and from what is built of it (vite.server.config.ts), which lies as deep. */
export const ROOT = join(import.meta.dirname, '../..');
