import { zonedTime } from './zoned-time.ts';

const compact = (text: string): string => text.toLowerCase().replaceAll(/\s/g, '');

/** Whether a label such as 'Sunday, 9:00 AM to 10:00 AM' names the day and the time `Sun, Apr 18, 9:00 AM`. */
function isNamedIn(label: string, time: string): boolean {
  const text = compact(label);
  const [weekday = '', day = '', clock = ''] = time.split(', ').map(compact);
  const hasClock = new RegExp(String.raw`(?<!\d)${clock}`).test(text);
  return hasClock && (text.includes(weekday) || new RegExp(String.raw`${day}(?!\d)`).test(text));
}

/**
 * Returns the label of a pick-up time with its time, for example 'Sunday morning, Sun, Apr 18, 9:00 AM'. The label alone is returned if it
 * names the day and the time (contract §16).
 */
export function pickUpTimeText(
  { label, startsAt }: { readonly label: string; readonly startsAt: string },
  timeZone: string | null,
): string {
  const time = zonedTime(startsAt, timeZone);
  return isNamedIn(label, time) ? label : `${label}, ${time}`;
}
