import { isLongForm } from './sampling.ts';

/** The number of repetitions: `few` in npm test, `all` that docs/reliability.md promises in npm run prove. */
export const iterations = (few: number, all: number): number => (isLongForm ? all : few);
