// Shows a time in the time zone of an organization, with the zones that the runtime knows (contract §11).

const OFFSET = /^[+-]/;

/** Whether the runtime knows an IANA time zone of this name; an offset such as +02:00 is not one. */
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
 * `Thu, Apr 1, 8:00 PM` in the time zone. Without a time zone, or with one that this runtime does not know, the time is in UTC and marked
 * so.
 */
export function zonedTime(instant: string, timeZone: string | null): string {
  const isKnown = timeZone !== null && isTimeZone(timeZone);
  const format = new Intl.DateTimeFormat('en-US', { ...PARTS, timeZone: isKnown ? timeZone : UTC });
  const text = format.format(new Date(instant)).replaceAll('\u202f', ' ');
  return isKnown ? text : `${text} ${UTC}`;
}
