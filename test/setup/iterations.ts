import { isLongForm } from './sampling.ts';

/** How often a test repeats what it proves: `few` times in npm test, `all` that docs/reliability.md promises in npm run prove. */
export const iterations = (few: number, all: number): number => (isLongForm ? all : few);
