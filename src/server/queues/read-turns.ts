// Lets reads begin one after the other, with a pause after each. Shorter reads do not wait for the pause.

/** After this many reads that began because they are short, the read that has waited for the longest time begins. */
const READS_BETWEEN_TURNS = 3;

/** Reads of one class take about the same time: those of the next class take up to twice as long. */
const classOf = (milliseconds: number): number => Math.ceil(Math.log2(Math.max(milliseconds, 1)));

interface WaitingRead {
  readonly ofClass: number;
  readonly start: () => void;
}
interface Pause {
  /** The class of the read before the pause. */
  readonly ofClass: number;
  readonly began: number;
  readonly duration: number;
}

/**
 * Creates the turns of reads of which one runs at a time. A read waits for the pauses after reads of its class and of shorter ones, one pause
 * after the other. The longest reads therefore wait for all pauses, so that all reads together take at most half of the time if each pause is
 * twice as long as the read before it. Of the reads that wait for no pause, one of the shortest class begins, in the sequence of the requests.
 * Every fourth time, it is the one that has waited for the longest time, so that none waits forever. Calls `onIdle` when no read waits or runs
 * and all pauses are over.
 */
export function createReadTurns(onIdle: () => void) {
  const waiting = new Set<WaitingRead>();
  let pauses: Pause[] = [];
  let isReading = false;
  let sinceTurn = 0;
  let timer: NodeJS.Timeout | undefined;

  /** Returns when a read of a class may begin. */
  const freeAt = (ofClass: number): number =>
    pauses.filter((pause) => pause.ofClass <= ofClass).reduce((free, { began, duration }) => Math.max(free, began) + duration, 0);

  const startNext = (): void => {
    clearTimeout(timer);
    if (isReading) return;
    const now = performance.now();
    if (freeAt(Infinity) <= now) pauses = [];
    const inSequence = [...waiting];
    const byDuration = inSequence.toSorted((a, b) => a.ofClass - b.ofClass);
    const isByTurn = sinceTurn === READS_BETWEEN_TURNS;
    const next = (isByTurn ? inSequence : byDuration).find(({ ofClass }) => freeAt(ofClass) <= now);
    if (next) {
      sinceTurn = isByTurn ? 0 : sinceTurn + 1;
      isReading = true;
      waiting.delete(next);
      next.start();
    } else if (waiting.size > 0 || pauses.length > 0) timer = setTimeout(startNext, freeAt(byDuration[0]?.ofClass ?? Infinity) - now);
    else onIdle();
  };

  return {
    /** Resolves when a read may begin that usually takes `usual` milliseconds. Call `end` when it has ended. */
    begin: (usual: number): Promise<void> =>
      new Promise((start) => {
        waiting.add({ ofClass: classOf(usual), start });
        startNext();
      }),
    /** Begins a pause of `duration` milliseconds after a read that usually takes `usual` milliseconds. */
    end(usual: number, duration: number): void {
      pauses.push({ ofClass: classOf(usual), began: performance.now(), duration });
      isReading = false;
      startNext();
    },
  };
}
