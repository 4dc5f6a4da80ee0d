// Computes the name and the date that the dialog proposes for the copy. These are the name and the date of the original, moved to the next
// year.
import { calendarDate } from '../../../shared/dates.ts';

/** Returns the same day of the next year: '2028-04-15' for '2027-04-15'. After February 29 comes February 28. */
export function dateNextYear(date: string): string {
  const year = Number(date.slice(0, 4)) + 1;
  return calendarDate(`${year}${date.slice(4)}`) ?? (date.endsWith('-02-29') ? `${year}-02-28` : date);
}

/** Returns 'Passover 2028' for 'Passover 2027' if the distribution is in 2027. A name without that year stays the same. */
export function nameNextYear(name: string, date: string): string {
  const year = date.slice(0, 4);
  return name.replaceAll(new RegExp(String.raw`(?<!\d)${year}(?!\d)`, 'g'), String(Number(year) + 1));
}
