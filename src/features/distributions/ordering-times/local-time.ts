// Converts local times typed in the organization's time zone to UTC and back, with the time zone data of the browser (contract §11).
import { Temporal } from 'temporal-polyfill';

/**
 * The UTC times of a typed local time. There is none if clocks skip it when they are set forward. There are two if it occurs twice when
 * clocks are set back.
 */
type LocalTime =
  | { readonly kind: 'one'; readonly instant: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'twice'; readonly first: string; readonly second: string }
  | { readonly kind: 'invalid' };

const toIso = (time: Temporal.ZonedDateTime): string => new Date(time.epochMilliseconds).toISOString();

/** Reads a local time in the format of a `datetime-local` field, such as `2027-04-01T20:00`. */
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

/** Returns the value of a `datetime-local` field for a UTC time; '' for null. */
export const toLocalTime = (instant: string | null, timeZone: string): string =>
  instant === null
    ? ''
    : Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDateTime().toString({ smallestUnit: 'minute' });

export const browserTimeZone = (): string => Temporal.Now.timeZoneId();
