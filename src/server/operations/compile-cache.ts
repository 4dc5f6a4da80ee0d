// What the engine makes of our source and of the libraries is kept between starts: a start spends a quarter of its time on making it.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../root.ts';

const PLACE = join(ROOT, 'node_modules/.cache/feastday');

/**
 * To be called before all else is imported. It is written as the process ends; where nobody may write, each start compiles anew.
 * NODE_COMPILE_CACHE names another place.
 */
export const startCompileCache = (): void => void enableCompileCache(PLACE);
