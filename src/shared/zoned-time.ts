// Formats times in the time zone of an organization. Only the time zones that the runtime knows are available (contract §11).

const OFFSET = /^[+-]/;

/** Returns whether the runtime knows an IANA time zone of this name. An offset such as +02:00 is not a time zone. */
export function isTimeZone(name: string): boolean {
  if (OFFSET.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const PARTS = { weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
const UTC = 'UTC';

/**
 * Formats a time in the time zone, for example as `Thu, Apr 1, 8:00 PM`. If the time zone is null or unknown to the runtime, the result is
 * in UTC and says so.
 */
export function zonedTime(instant: string, timeZone: string | null): string {
  const isKnown = timeZone !== null && isTimeZone(timeZone);
  const format = new Intl.DateTimeFormat('en-US', { ...PARTS, timeZone: isKnown ? timeZone : UTC });
  const text = format.format(new Date(instant)).replaceAll('\u202f', ' ');
  return isKnown ? text : `${text} ${UTC}`;
}
