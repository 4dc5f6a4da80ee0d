import { join } from 'node:path';

/** The project's folder, for the source and for the build (vite.server.config.ts), which is equally deep. */
export const ROOT = join(import.meta.dirname, '../..');
