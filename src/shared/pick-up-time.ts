import { zonedTime } from './zoned-time.ts';

const compact = (text: string): string => text.toLowerCase().replaceAll(/\s/g, '');

/** Whether a label such as 'Sunday, 9:00 AM to 10:00 AM' names the day and the time `Sun, Apr 18, 9:00 AM`. */
function isNamedIn(label: string, time: string): boolean {
  const text = compact(label);
  const [weekday = '', day = '', clock = ''] = time.split(', ').map(compact);
  const hasClock = new RegExp(String.raw`(?<!\d)${clock}`).test(text);
  return hasClock && (text.includes(weekday) || new RegExp(String.raw`${day}(?!\d)`).test(text));
}

interface PickUpTime {
  readonly label: string;
  readonly startsAt: string;
}

/** Returns the label of a pick-up time and its time, which is null if the label names the day and the time (contract §16). */
export function pickUpTimeParts({ label, startsAt }: PickUpTime, timeZone: string | null): { label: string; time: string | null } {
  const time = zonedTime(startsAt, timeZone);
  return { label, time: isNamedIn(label, time) ? null : time };
}

/** Returns the label of a pick-up time with its time, for example 'Sunday morning, Sun, Apr 18, 9:00 AM', or the label alone. */
export function pickUpTimeText(slot: PickUpTime, timeZone: string | null): string {
  const { label, time } = pickUpTimeParts(slot, timeZone);
  return time === null ? label : `${label}, ${time}`;
}
