// Tracks the server's clock by the dates of its responses, because the clock of a phone may be wrong.

/** A clock difference below this many milliseconds may only be the time that the response took. */
const TOLERANCE = 30_000;
let offset = 0;

/** Must be called with the `Date` header of each response. */
export function noteServerTime(header: string | null): void {
  const difference = Date.parse(header ?? '') - Date.now();
  if (!Number.isNaN(difference)) offset = Math.abs(difference) > TOLERANCE ? difference : 0;
}

export const serverTime = (): string => new Date(Date.now() + offset).toISOString();
