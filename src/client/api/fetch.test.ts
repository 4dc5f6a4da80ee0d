import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { call as ownCall, CallError, makeCall, NetworkError } from './fetch.ts';

const getFees = endpoint({
  method: 'GET',
  path: '/api/distributions/:id/fees',
  summary: 'Fees',
  roles: ['customer'],
  reply: z.array(z.object({ name: z.string() })),
});
const addFee = endpoint({
  method: 'POST',
  path: '/api/distributions/:id/fees',
  summary: 'Add a fee',
  roles: ['distributor'],
  body: z.object({ name: z.string() }),
});

const HTML = { 'content-type': 'text/html; charset=utf-8' };

interface Sent {
  url: string;
  init: RequestInit;
}

function answering(body: string | null, init: ResponseInit = {}): { call: ReturnType<typeof makeCall>; sent: Sent[] } {
  const sent: Sent[] = [];
  const call = makeCall({
    host: 'https://feastday.test',
    fetch: async (url, request) => {
      sent.push({ url, init: request });
      return new Response(body, init);
    },
  });
  return { call, sent };
}

test("an API call sends a GET request to the API's host with the session cookie, and bypasses the HTTP cache (spec §7; contract §1)", async () => {
  const { call, sent } = answering('[{"name":"Delivery"}]');
  expect(await call(getFees, { params: { id: 12 } })).toEqual([{ name: 'Delivery' }]);
  expect(sent[0]?.url).toBe('https://feastday.test/api/distributions/12/fees');
  expect(sent[0]?.init).toMatchObject({ method: 'GET', credentials: 'include', cache: 'no-store', body: null });
  expect(sent[0]?.init.headers).not.toHaveProperty('Content-Type');
});

test('an API call sends the request body as JSON and the idempotency key as a header (spec §7)', async () => {
  const { call, sent } = answering(null, { status: 204, headers: { 'x-request-id': 'id-1' } });
  expect(await call(addFee, { params: { id: 12 }, body: { name: 'Delivery' }, idempotencyKey: 'k-1' })).toBeUndefined();
  expect(sent[0]?.init.body).toBe('{"name":"Delivery"}');
  expect(sent[0]?.init.headers).toMatchObject({ 'Content-Type': 'application/json', 'Idempotency-Key': 'k-1' });
});

test('a save names the user of the tab, unless the caller names another; a read names nobody', async () => {
  const sent: (string | null)[] = [];
  const fetch = async (_: string, { headers }: RequestInit) => {
    sent.push(new Headers(headers).get('X-User-Id'));
    return Response.json([]);
  };
  const call = makeCall({ host: '', fetch, savedBy: () => 7 });
  await call(getFees, { params: { id: 12 } });
  await call(addFee, { params: { id: 12 }, body: { name: 'Delivery' } });
  await call(addFee, { params: { id: 12 }, body: { name: 'Delivery' }, userId: 8 });
  expect(sent).toEqual([null, '7', '8']);
});

test.each([
  ['the body text', 'Ordering is closed', { status: 409 }, '409: Ordering is closed'],
  ['the status text when the body is empty', '', { status: 502, statusText: 'Bad Gateway' }, '502: Bad Gateway'],
  [
    'the status text when a proxy replies with HTML',
    '<h1>nginx</h1>',
    { status: 502, statusText: 'Bad Gateway', headers: HTML },
    '502: Bad Gateway',
  ],
])(
  'for a response that is not OK, an API call throws an error whose message is the status, a colon and %s (spec §8)',
  async (_, body, init, message) => {
    const error = await answering(body, init)
      .call(getFees, { params: { id: 1 } })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CallError);
    expect(error).toMatchObject({ message, status: init.status });
  },
);

test('an API call throws an error with a readable sentence when a request gets no response', async () => {
  const call = makeCall({ host: '', fetch: () => Promise.reject(new TypeError('fetch failed')) });
  const error = await call(getFees, { params: { id: 1 } }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ message: 'Feastday could not be reached. Check your connection and try again.' });
});

test('when a Wi-Fi network replies to a call with its own sign-in page, the call fails and the message says that Feastday could not be reached', async () => {
  const { call } = answering('<!doctype html><title>Guest network</title>', { headers: HTML });
  const error = await call(getFees, { params: { id: 1 } }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NetworkError);
});

test('the error of a call says whether the server of Feastday or a proxy sent the response (contract §14)', async () => {
  const errorOf = async (headers: HeadersInit) =>
    await answering('not found', { status: 404, headers })
      .call(getFees, { params: { id: 12 } })
      .catch((error: unknown) => error);
  expect(await errorOf({ 'x-request-id': 'id-1' })).toMatchObject({ status: 404, isFromServer: true });
  expect(await errorOf({ 'content-type': 'text/plain' })).toMatchObject({ status: 404, isFromServer: false });
});

test.each([
  ['empty', null],
  ['JSON', '{}'],
])(
  'a save with an idempotency key fails when a proxy replies that it has succeeded, with a body that is %s (contract §14)',
  async (_, body) => {
    const { call } = answering(body, { headers: { 'content-type': 'application/json' } });
    const error = await call(addFee, { params: { id: 12 }, body: { name: 'Delivery' }, idempotencyKey: 'k-1' }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(NetworkError);
  },
);

test('a save without a response fails after a minute, and a read has no time limit', async () => {
  const ended = AbortSignal.abort(new DOMException('The operation timed out.', 'TimeoutError'));
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(ended);
  const call = makeCall({
    host: '',
    fetch: (_, { signal }) => Promise.reject((signal?.reason as Error | undefined) ?? new Error('no limit')),
  });
  const error = await call(addFee, { params: { id: 1 }, body: { name: 'Delivery' } }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ cause: { name: 'TimeoutError' } });
  expect(timeout.mock.calls).toEqual([[60_000]]);
  await expect(call(getFees, { params: { id: 1 } })).rejects.toMatchObject({ cause: { message: 'no limit' } });
  timeout.mockRestore();
});

describe('a prefetched read', () => {
  const FEES = '/api/distributions/7/fees';
  const read = () => ownCall(getFees, { params: { id: 7 } });
  afterEach(() => void vi.unstubAllGlobals());

  // Sets the time since the page started to one second, so that a prefetched response does not count as too old.
  beforeEach(() => void vi.stubGlobal('performance', { now: () => 1000 }));

  test('is used for one read; the next read sends a new request', async () => {
    vi.stubGlobal('prefetched', new Map([[FEES, Promise.resolve(Response.json([{ name: 'ahead' }]))]]));
    vi.stubGlobal('fetch', async () => Response.json([{ name: 'asked for' }]));
    expect([await read(), await read()]).toEqual([[{ name: 'ahead' }], [{ name: 'asked for' }]]);
  });

  test('rejects with a NetworkError when its request failed', async () => {
    vi.stubGlobal('prefetched', new Map([[FEES, Promise.reject(new TypeError('Failed to fetch'))]]));
    await expect(read()).rejects.toThrow(NetworkError);
  });

  test('is not used after a save, nor when the page was loaded more than 30 seconds ago', async () => {
    const ahead = new Map([[FEES, Promise.resolve(Response.json([{ name: 'ahead' }]))]]);
    vi.stubGlobal('prefetched', new Map(ahead));
    vi.stubGlobal('fetch', async () => Response.json([{ name: 'asked for' }]));
    await ownCall(addFee, { params: { id: 7 }, body: { name: 'Box' } });
    expect(await read()).toEqual([{ name: 'asked for' }]);
    vi.stubGlobal('prefetched', new Map(ahead));
    vi.stubGlobal('performance', { now: () => 31_000 });
    expect(await read()).toEqual([{ name: 'asked for' }]);
  });
});
