import { expect, test } from 'vitest';
import { calendarDate, fileTime, longDate, paymentTime, shortDate, today } from './dates.ts';

test("today() returns the current date in the user's time zone as yyyy-MM-dd (spec §5, §9)", () => {
  expect(today(new Date(2027, 3, 5, 23, 59))).toBe('2027-04-05');
  expect(today(new Date(2027, 11, 31, 0, 0))).toBe('2027-12-31');
});

test('a date is formatted in the short form on screens and in the long form on paper (spec §9)', () => {
  expect([shortDate('2027-04-15'), longDate('2027-04-15')]).toEqual(['Thu, Apr 15, 2027', 'April 15, 2027']);
  expect(() => shortDate('soon')).toThrow(RangeError);
  expect([shortDate('2027-01-01'), longDate('2027-12-31')]).toEqual(['Fri, Jan 1, 2027', 'December 31, 2027']);
});

test.each([
  [new Date(2027, 3, 5, 9, 7), '4/5/2027 9:07 AM'],
  [new Date(2027, 10, 15, 0, 0), '11/15/2027 12:00 AM'],
  [new Date(2027, 10, 15, 12, 30), '11/15/2027 12:30 PM'],
  [new Date(2027, 0, 1, 23, 59, 59), '1/1/2027 11:59 PM'],
])('the time of a payment is formatted as M/d/yyyy h:mm a (spec §9), for %s', (time, text) => {
  expect(paymentTime(time.toISOString())).toBe(text);
});

test("fileTime formats a time as a date and a 24-hour time in the user's time zone", () => {
  expect(fileTime(new Date(2026, 10, 21, 20, 46, 59).toISOString())).toBe('2026-11-21 20:46');
  expect(fileTime(new Date(2027, 0, 1, 0, 5).toISOString())).toBe('2027-01-01 00:05');
});

test.each([
  ['2027-04-15', '2027-04-15'],
  ['2027-04-15T23:59:59-11:00', '2027-04-15'],
  ['2027-02-29', null],
  ['4/15/2027', null],
  ['1899-12-31', null],
  ['', null],
])('calendarDate reads the text %j as the calendar date %j', (text, date) => {
  expect(calendarDate(text)).toBe(date);
});
