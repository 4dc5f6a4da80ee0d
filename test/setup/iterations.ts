import { isLongForm } from './sampling.ts';

/** Returns the number of repetitions: `few` in npm test, and `all`, the number that docs/reliability.md promises, in npm run prove. */
export const iterations = (few: number, all: number): number => (isLongForm ? all : few);
