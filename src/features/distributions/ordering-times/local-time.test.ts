import { describe, expect, test } from 'vitest';
import { isTimeZone, zonedTime } from '../../../shared/zoned-time.ts';
import { readLocalTime, toLocalTime } from './local-time.ts';
import { zoneOptions } from './time-zones.ts';

const NEW_YORK = 'America/New_York';
const one = (instant: string) => ({ kind: 'one', instant });

describe('a typed time (contract §11)', () => {
  test.each([
    ['2027-04-01T20:00', NEW_YORK, one('2027-04-02T00:00:00.000Z')],
    ['2027-01-15T20:00', NEW_YORK, one('2027-01-16T01:00:00.000Z')],
    ['2028-02-29T12:00', NEW_YORK, one('2028-02-29T17:00:00.000Z')],
    ['2027-02-29T12:00', NEW_YORK, { kind: 'invalid' }],
    ['', NEW_YORK, { kind: 'invalid' }],
    ['2027-04-01T20:00', 'Asia/Jerusalem', one('2027-04-01T17:00:00.000Z')],
    ['2027-04-01T20:00', 'Asia/Kolkata', one('2027-04-01T14:30:00.000Z')],
    ['2027-04-01T20:00', 'UTC', one('2027-04-01T20:00:00.000Z')],
    ['2027-03-14T01:59', NEW_YORK, one('2027-03-14T06:59:00.000Z')],
    ['2027-03-14T02:00', NEW_YORK, { kind: 'none' }],
    ['2027-03-14T02:30', NEW_YORK, { kind: 'none' }],
    ['2027-03-14T03:00', NEW_YORK, one('2027-03-14T07:00:00.000Z')],
    ['2027-11-07T00:59', NEW_YORK, one('2027-11-07T04:59:00.000Z')],
    ['2027-11-07T01:00', NEW_YORK, { kind: 'twice', first: '2027-11-07T05:00:00.000Z', second: '2027-11-07T06:00:00.000Z' }],
    ['2027-11-07T01:59', NEW_YORK, { kind: 'twice', first: '2027-11-07T05:59:00.000Z', second: '2027-11-07T06:59:00.000Z' }],
    ['2027-11-07T02:00', NEW_YORK, one('2027-11-07T07:00:00.000Z')],
    // On Lord Howe Island, clocks are set forward by half an hour only. Samoa skipped the whole day of 2011-12-30.
    ['2027-10-03T02:15', 'Australia/Lord_Howe', { kind: 'none' }],
    ['2011-12-30T12:00', 'Pacific/Apia', { kind: 'none' }],
  ])('such as %s in the time zone %s is read as %j: one UTC time, two possible UTC times, none, or invalid', (typed, zone, result) => {
    expect(readLocalTime(typed, zone)).toEqual(result);
    if ('instant' in result) expect(toLocalTime(result.instant, zone)).toBe(typed);
    if ('first' in result) expect([toLocalTime(result.first, zone), toLocalTime(result.second, zone)]).toEqual([typed, typed]);
  });
});

test('the form shows a missing time as an empty field', () => {
  expect(toLocalTime(null, NEW_YORK)).toBe('');
});

describe('a shown time (contract §11)', () => {
  test.each([
    ['2027-04-02T00:00:00.000Z', NEW_YORK, 'Thu, Apr 1, 8:00 PM'],
    ['2027-11-07T05:30:00.000Z', NEW_YORK, 'Sun, Nov 7, 1:30 AM'],
    ['2027-11-07T06:30:00.000Z', NEW_YORK, 'Sun, Nov 7, 1:30 AM'],
    ['2028-02-29T17:00:00.000Z', NEW_YORK, 'Tue, Feb 29, 12:00 PM'],
    ['2027-04-01T17:00:00.000Z', 'Asia/Jerusalem', 'Thu, Apr 1, 8:00 PM'],
    ['2027-04-01T20:00:00.000Z', null, 'Thu, Apr 1, 8:00 PM UTC'],
    ['2027-04-01T20:00:00.000Z', 'Mars/Olympus', 'Thu, Apr 1, 8:00 PM UTC'],
  ])('such as %s in the time zone %s is formatted with weekday, date and time', (instant, zone, text) => {
    expect(zonedTime(instant, zone)).toBe(text);
  });
});

test('the form offers only time zones that the runtime supports', () => {
  const zones = zoneOptions(NEW_YORK).map(({ value }) => value);
  expect(zones.length).toBeGreaterThan(300);
  expect(zones.every(isTimeZone)).toBe(true);
});
