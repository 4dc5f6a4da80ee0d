// The clock of the server as its responses show it, because the clock of a phone may be wrong.

/** A smaller difference can come from the time that the response took. */
const TOLERANCE = 30_000;
let offset = 0;

/** Call with the `Date` header of each response. */
export function noteServerTime(header: string | null): void {
  const difference = Date.parse(header ?? '') - Date.now();
  if (!Number.isNaN(difference)) offset = Math.abs(difference) > TOLERANCE ? difference : 0;
}

export const serverTime = (): string => new Date(Date.now() + offset).toISOString();
