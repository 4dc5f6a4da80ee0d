import { isLongForm } from './sampling.ts';

/**
 * Returns the number of repetitions in a test: `few` in npm test, and `all` in npm run prove. docs/reliability.md promises the number
 * `all`.
 */
export const iterations = (few: number, all: number): number => (isLongForm ? all : few);
