// Computes the server's time from the Date headers of its responses, because the clock of a phone may be wrong.

/** A difference between the clocks below this many milliseconds is ignored, because it may only be the duration of the response. */
const TOLERANCE = 30_000;
let offset = 0;

/** Must be called with the `Date` header of each response. */
export function noteServerTime(header: string | null): void {
  const difference = Date.parse(header ?? '') - Date.now();
  if (!Number.isNaN(difference)) offset = Math.abs(difference) > TOLERANCE ? difference : 0;
}

export const serverTime = (): string => new Date(Date.now() + offset).toISOString();
