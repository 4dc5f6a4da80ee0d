import { pino } from 'pino';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { createApp } from './app.ts';
import { busy } from '../errors.ts';
import { MAX_LOGGED } from './response-log.ts';

const testApp = setupTestApp();
beforeEach(() => void (testApp.logged.length = 0));

test.each(['/x.js', '/assets/x.js', '/api/none', '/api/docs/none'])(
  'at most 300 responses to the signed-out clients of a network are logged, although it sends more requests to %s; those to other networks are still logged (reliability abuse)',
  async (url) => {
    const block = url.length.toString(16);
    const from = (remoteAddress: string) => testApp.app.inject({ url, remoteAddress });
    for (let count = 0; count < MAX_LOGGED + 20; count++) await from(`2001:db8:${block}:${count.toString(16)}::1`);
    const messages = testApp.logged.map((line) => JSON.parse(line).msg);
    expect(messages.filter((message) => message === 'answered')).toHaveLength(MAX_LOGGED);
    expect(messages.at(-1)).toBe('further responses of this client are not logged for a while');
    await from(`2001:db8:f${block}::1`);
    expect(testApp.logged).toHaveLength(messages.length + 1);
  },
);

test(
  'at most 300 responses to a person are logged; those to other people with the same address are still logged (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const distributor = await makeDistributor(testApp.db);
    const [customer, other] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
    for (let count = 0; count < MAX_LOGGED + 20; count++) await testApp.request(customer, { url: '/api/user' });
    const { length } = testApp.logged;
    expect(testApp.logged.filter((line) => JSON.parse(line).msg === 'answered')).toHaveLength(MAX_LOGGED);
    await testApp.request(other, { url: '/api/user' });
    expect(testApp.logged).toHaveLength(length + 1);
  },
);

test(
  'at most 300 failed requests of the signed-out clients of a network are logged, although more are refused (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const app = await createApp(testApp.env, pino({}, { write: (line: string) => void testApp.logged.push(line) }));
    onTestFinished(() => app.close());
    app.get('/api/busy', () => Promise.reject(busy()));
    app.get('/api/broken', () => Promise.reject(new Error('broken')));
    const from = async (remoteAddress: string, url = '/api/busy') => (await app.inject({ url, remoteAddress })).statusCode;
    const failures = () => testApp.logged.filter((line) => JSON.parse(line).msg === 'request failed');
    for (let count = 0; count < 1000; count++) expect(await from(`2001:db8:f00:${count.toString(16)}::1`)).toBe(503);
    expect(failures()).toHaveLength(MAX_LOGGED);
    expect(JSON.parse(failures()[0] ?? '')).toMatchObject({ level: 40, reason: busy().message });
    await from('2001:db8:f01::1');
    expect(failures()).toHaveLength(MAX_LOGGED + 1);
    // An unexpected error of the same network is still logged, with its stack.
    expect(await from('2001:db8:f00::1', '/api/broken')).toBe(500);
    expect(JSON.parse(failures().at(-1) ?? '')).toMatchObject({ level: 50, err: { message: 'broken' } });
  },
);
