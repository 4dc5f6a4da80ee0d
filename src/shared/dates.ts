// The date of a distribution is a calendar date. It is a string everywhere, because no time zone applies to it.
import { lazyValue } from './lazy-value.ts';

const ISO = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Returns the first part of a date or an ISO date-time, `yyyy-MM-dd`. Returns null when no such day exists in the calendar. */
export function calendarDate(text: string): string | null {
  const date = ISO.exec(text)?.[1];
  if (date === undefined || date < '1900' || date > '2999-12-31' || Number.isNaN(Date.parse(text))) return null;
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const made = new Date(Date.UTC(year, month - 1, day));
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === day ? date : null;
}

const digits = (part: number): string => String(part).padStart(2, '0');

/** Returns today's date in the user's time zone, in the format of a date input (spec §9: yyyy-MM-dd). */
export const today = (now: Date): string => [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(digits).join('-');

const format = (options: Intl.DateTimeFormatOptions) => lazyValue(() => new Intl.DateTimeFormat('en-US', options));
const long = format({ dateStyle: 'long', timeZone: 'UTC' });

/**
 * Formats a date in short form, for example `Thu, Apr 22, 2027`. It uses `Date.toUTCString()`, because every screen has dates and a
 * formatter is slow to create.
 */
export function shortDate(date: string): string {
  const time = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(time.getTime())) throw new RangeError(`${JSON.stringify(date)} is no date`);
  const [weekday, day, month, year] = time.toUTCString().split(' ');
  return `${weekday} ${month} ${Number(day)}, ${year}`;
}

/** Formats a date in the long form of printed pages, for example `April 22, 2027` (spec §9). */
export const longDate = (date: string): string => long().format(new Date(`${date}T00:00:00Z`));

/**
 * Formats a time in the user's time zone, for example '2026-11-21 20:46'. Files contain times in this format, because a spreadsheet can
 * sort them.
 */
export function fileTime(timestamp: string): string {
  const time = new Date(timestamp);
  return `${today(time)} ${digits(time.getHours())}:${digits(time.getMinutes())}`;
}

const clock = format({ hour: 'numeric', minute: '2-digit' });

/** Formats the time of day in the user's time zone, for example `8:00 PM`. */
export const clockTime = (timestamp: string): string => clock().format(new Date(timestamp)).replaceAll('\u202f', ' ');

const clockWithSeconds = format({ hour: 'numeric', minute: '2-digit', second: '2-digit' });

/** Formats the time of day with seconds in the user's time zone, for example `8:00:05 PM`. */
export const clockTimeWithSeconds = (timestamp: string): string => clockWithSeconds().format(new Date(timestamp)).replaceAll('\u202f', ' ');

const dayAndTime = format({ month: 'numeric', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' });

/** Formats the time of a payment in the user's time zone (spec §9: M/d/yyyy h:mm a). */
export const paymentTime = (timestamp: string): string =>
  dayAndTime().format(new Date(timestamp)).replace(',', '').replaceAll('\u202f', ' ');
