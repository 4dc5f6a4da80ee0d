// Shows times in the time zone of an organization. Only the time zones that the runtime knows are available (contract §11).

const OFFSET = /^[+-]/;

/** Whether the runtime knows an IANA time zone of this name. An offset such as +02:00 is not a time zone. */
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
 * Returns, for example, `Thu, Apr 1, 8:00 PM` in the time zone. Without a time zone, or with one that this runtime does not know, the time
 * is in UTC and marked as UTC.
 */
export function zonedTime(instant: string, timeZone: string | null): string {
  const isKnown = timeZone !== null && isTimeZone(timeZone);
  const format = new Intl.DateTimeFormat('en-US', { ...PARTS, timeZone: isKnown ? timeZone : UTC });
  const text = format.format(new Date(instant)).replaceAll('\u202f', ' ');
  return isKnown ? text : `${text} ${UTC}`;
}
