// Keeps V8's compile cache between starts, because compiling takes a quarter of the start.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../root.ts';

const PLACE = join(ROOT, 'node_modules/.cache/feastday');

/**
 * Call this before any other import. The cache is written when the process ends. If the cache's folder is read-only, each start compiles
 * again. The variable NODE_COMPILE_CACHE can name another folder.
 */
export const startCompileCache = (): void => void enableCompileCache(PLACE);
