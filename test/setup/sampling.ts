// Chooses random samples for a test run. All processes of the run use the same seed, which is printed at the start.
import { mulberry32, shuffled } from '../../src/domain/rehearsal/seeded-random.ts';

process.env['FEASTDAY_SEED'] ??= String(Math.floor(Math.random() * 2 ** 31));

export const SEED = Number(process.env['FEASTDAY_SEED']);
export const SEED_LINE = `Samples are drawn with seed ${SEED}; FEASTDAY_SEED=${SEED} repeats them.`;

export const isLongForm = process.env['FEASTDAY_PROVE'] === 'full';

/** Returns `few` random entries. When FEASTDAY_PROVE is set to full, it returns all entries. */
export const sampleOf = <Entry>(all: readonly Entry[], few: number): readonly Entry[] =>
  isLongForm ? all : shuffled(mulberry32(SEED), all).slice(0, few);
