// Every screen must show the date that a user has typed, whatever the time zones of the server and the browser (reliability R41).
import { afterAll, expect, test } from 'vitest';
import { changeDistribution, createDistribution } from '../src/features/distributions/contract.ts';
import { longDate, shortDate } from '../src/shared/dates.ts';
import { makeDistributor } from './data/factories.ts';
import { iterations } from './setup/iterations.ts';
import { setupTestApp } from './test-app.ts';

const ZONES = ['UTC', 'America/Los_Angeles', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const;
/** Among these dates are days on which daylight-saving time begins or ends, ends of months and years, and a leap day. */
const DATES = [
  '2027-03-14',
  '2027-11-07',
  '2027-03-28',
  '2027-10-31',
  '2027-01-01',
  '2027-12-31',
  '2028-02-29',
  '2027-02-28',
  '2027-04-15',
  '2027-10-15',
  '2026-03-08',
  '2026-11-01',
  '2027-06-30',
  '2027-07-01',
  '2028-12-31',
  '2029-01-01',
  '2027-09-30',
  '2027-04-21',
  '2027-04-22',
  '2027-12-25',
] as const;
const PARTS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const testApp = setupTestApp();
const before = process.env['TZ'];
const standIn = (zone: string | undefined): void => void (zone === undefined ? delete process.env['TZ'] : (process.env['TZ'] = zone));
afterAll(() => standIn(before));

/** Returns midnight at the start of the date, in local time with its UTC offset. Old browsers send dates in this form. */
function isoOf(date: string): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const offset = -new Date(year, month - 1, day).getTimezoneOffset();
  const digits = (part: number) => String(Math.trunc(Math.abs(part))).padStart(2, '0');
  return `${date}T00:00:00${offset < 0 ? '-' : '+'}${digits(offset / 60)}:${digits(offset % 60)}`;
}

test(
  'the date of a distribution stays the same when it is saved five times from any time zone (contract §2)',
  { tags: ['long'] },
  async () => {
    const call = await testApp.as(await makeDistributor(testApp.db));
    const dates = DATES.slice(0, iterations(1, DATES.length));
    let checks = 0;
    for (const [turn, date] of dates.entries()) {
      for (const server of ZONES) {
        for (const browser of ZONES) {
          standIn(server);
          const made = await call(createDistribution, { body: { name: 'Passover', date } });
          let shown: string = made.date;
          for (let save = 0; save < 5; save++) {
            standIn(browser);
            const sent = (save + turn) % 2 ? isoOf(shown) : shown;
            standIn(server);
            shown = (await call(changeDistribution, { params: { id: made.id }, body: { date: sent } })).date;
          }
          standIn(browser);
          const [year = '', month = '', day = ''] = date.split('-');
          expect([shown, server, browser]).toEqual([date, server, browser]);
          expect(shortDate(shown)).toContain(`${PARTS[Number(month) - 1]} ${Number(day)}, ${year}`);
          expect(longDate(shown)).toMatch(new RegExp(` ${Number(day)}, ${year}$`));
          checks += 1;
        }
      }
    }
    expect(checks).toBe(36 * dates.length);
  },
);
