// Computes the name and date that the dialog proposes for the copy: those of the original, a year later.
import { calendarDate } from '../../../shared/dates.ts';

/** '2027-04-15' becomes '2028-04-15'; February 29 becomes February 28. */
export function dateNextYear(date: string): string {
  const [year = '', ...rest] = date.split('-');
  const day = rest.join('-');
  const next = `${Number(year) + 1}-${day}`;
  return calendarDate(next) ?? (day === '02-29' ? `${Number(year) + 1}-02-28` : date);
}

/** 'Passover 2027' becomes 'Passover 2028' if the distribution is in 2027; other names stay the same. */
export function nameNextYear(name: string, date: string): string {
  const year = date.slice(0, 4);
  return name.replaceAll(new RegExp(String.raw`(?<!\d)${year}(?!\d)`, 'g'), String(Number(year) + 1));
}
