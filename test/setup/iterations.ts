import { isLongForm } from './sampling.ts';

/**
 * Returns the number of repetitions in a test. npm test uses `few`. npm run prove uses `all`, the number that docs/reliability.md promises.
 */
export const iterations = (few: number, all: number): number => (isLongForm ? all : few);
