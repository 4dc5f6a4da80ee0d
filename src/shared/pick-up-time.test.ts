import { expect, test } from 'vitest';
import { pickUpTimeText } from './pick-up-time.ts';

test.each([
  ['Sunday morning', 'America/New_York', 'Sunday morning, Sun, Apr 18, 9:00 AM'],
  ['Sunday morning', null, 'Sunday morning, Sun, Apr 18, 1:00 PM UTC'],
  ['Sunday, 9:00 am to 10:00 am', 'America/New_York', 'Sunday, 9:00 am to 10:00 am'],
  ['Apr 18, 9:00AM', 'America/New_York', 'Apr 18, 9:00AM'],
  ['9:00 AM', 'America/New_York', '9:00 AM, Sun, Apr 18, 9:00 AM'],
  ['Sunday 9', 'America/New_York', 'Sunday 9, Sun, Apr 18, 9:00 AM'],
  ['Sunday, 19:00 AM', 'America/New_York', 'Sunday, 19:00 AM, Sun, Apr 18, 9:00 AM'],
])('a pick-up time with the label %j in the time zone %s is shown as %j (contract §16)', (label, timeZone, text) => {
  expect(pickUpTimeText({ label, startsAt: '2027-04-18T13:00:00.000Z' }, timeZone)).toBe(text);
});
