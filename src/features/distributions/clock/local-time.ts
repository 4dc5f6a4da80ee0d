// Converts typed times in the organization's time zone, with the time zones that the browser knows (contract §11).
import { Temporal } from 'temporal-polyfill';

/** The instants of a typed local time: none if daylight-saving time skips it, two if it occurs twice. */
export type LocalTime =
  | { readonly kind: 'one'; readonly instant: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'twice'; readonly first: string; readonly second: string }
  | { readonly kind: 'invalid' };

const toIso = (time: Temporal.ZonedDateTime): string => new Date(time.epochMilliseconds).toISOString();

/** `typed` is the value of a `datetime-local` field: `2027-04-01T20:00`. */
export function readLocalTime(typed: string, timeZone: string): LocalTime {
  let plain: Temporal.PlainDateTime;
  try {
    plain = Temporal.PlainDateTime.from(typed, { overflow: 'reject' });
  } catch {
    return { kind: 'invalid' };
  }
  const earlier = plain.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  const later = plain.toZonedDateTime(timeZone, { disambiguation: 'later' });
  if (!earlier.toPlainDateTime().equals(plain)) return { kind: 'none' };
  if (earlier.epochMilliseconds === later.epochMilliseconds) return { kind: 'one', instant: toIso(earlier) };
  return { kind: 'twice', first: toIso(earlier), second: toIso(later) };
}

/** The value of a `datetime-local` field for an instant; '' for none. */
export const toLocalTime = (instant: string | null, timeZone: string): string =>
  instant === null
    ? ''
    : Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDateTime().toString({ smallestUnit: 'minute' });

export const browserTimeZone = (): string => Temporal.Now.timeZoneId();
