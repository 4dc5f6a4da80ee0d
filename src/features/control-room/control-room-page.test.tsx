import { setTimeout as pause } from 'node:timers/promises';
import { act, screen } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeDistribution, makeDistributor } from '../../../test/data/factories.ts';
import { freshDevice, showScreen } from '../../../test/screen.tsx';
import { setupTestApp } from '../../../test/test-app.ts';
import { CallError, type Call } from '../../client/api/fetch.ts';
import { readProgress, type Progress } from './contract.ts';
import { ControlRoomPage } from './control-room-page.tsx';

const testApp = setupTestApp();
beforeEach(freshDevice);

interface Request {
  readonly reply: (progress: Progress) => void;
  readonly fail: (error: Error) => void;
  readonly signal: AbortSignal | undefined;
}

const progressOf = (pickedUp: number, now: string): Progress => ({
  orders: 40,
  weighed: 30,
  paid: 20,
  pickedUp,
  units: 80,
  weighedUnits: 60,
  helpers: [],
  steps: [],
  unweighed: [],
  unweighedProducts: 0,
  now,
});

/** Waits until the check passes. The test cannot use waitFor, because the timers that waitFor uses are simulated. */
async function eventually(check: () => void): Promise<void> {
  for (let attempts = 0; attempts < 2000; attempts += 1) {
    try {
      return check();
    } catch {
      await act(async () => await pause(10));
    }
  }
  check();
}

/** Opens the control room. The test replies to each request for the counts; the application replies to all other requests. */
async function openControlRoom() {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  const requests: Request[] = [];
  const call = await testApp.as(distributor);
  const answered = (async (...[endpoint, args]: Parameters<Call>) => {
    if ((endpoint as unknown) !== readProgress) return await call(endpoint, args);
    return await new Promise<Progress>((reply, fail) => {
      const { signal } = (args ?? {}) as { signal?: AbortSignal };
      signal?.addEventListener('abort', () => fail(new DOMException('aborted', 'AbortError')));
      requests.push({ reply, fail, signal });
    });
  }) as Call;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  navigate(`/distributor/distribution/${distribution.id}/control-room`);
  showScreen(answered, '/distributor/distribution/:id/control-room', ControlRoomPage);
  await eventually(() => expect(requests).toHaveLength(1));
  const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
  const reply = async (progress: Progress) => await act(async () => requests.at(-1)?.reply(progress));
  return { requests, pass, reply };
}
const shownPickedUp = async (count: number) =>
  await eventually(() =>
    expect(Number(screen.getByRole('progressbar', { name: 'picked up of 40 orders' }).getAttribute('value'))).toBe((count * 100) / 40),
  );

test('the control room requests the counts every 3 seconds, and requests nothing in a hidden browser tab (contract §14)', async () => {
  const { requests, pass, reply } = await openControlRoom();
  await reply(progressOf(10, '2027-04-01T12:00:00.000Z'));
  await shownPickedUp(10);
  for (const count of [2, 3]) {
    await pass(2999);
    expect(requests).toHaveLength(count - 1);
    await pass(1);
    expect(requests).toHaveLength(count);
    await reply(progressOf(count, '2027-04-01T12:00:03.000Z'));
    await shownPickedUp(count);
  }
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  onTestFinished(() => hidden.mockRestore());
  await pass(9000);
  expect(requests).toHaveLength(3);
});

test('the control room shows a reply that takes longer than 3 seconds, and cancels a request only after 30 seconds (contract §14)', async () => {
  const { requests, pass, reply } = await openControlRoom();
  await reply(progressOf(10, '2027-04-01T12:00:00.000Z'));
  await pass(3000);
  await pass(9000);
  expect(requests).toHaveLength(2);
  expect(requests[1]?.signal?.aborted).toBe(false);
  await reply(progressOf(20, '2027-04-01T12:00:12.000Z'));
  await shownPickedUp(20);
  await pass(3000);
  expect(requests).toHaveLength(3);
  await pass(33_000);
  expect(requests).toHaveLength(4);
  expect(requests[2]?.signal?.aborted).toBe(true);
  await reply(progressOf(30, '2027-04-01T12:01:00.000Z'));
  await shownPickedUp(30);
});

test('while the server does not reply or replies with an error, the control room says how old its figures are (contract §14)', async () => {
  const { requests, pass, reply } = await openControlRoom();
  await reply(progressOf(10, '2027-04-01T12:00:07.000Z'));
  await shownPickedUp(10);
  const notice = () => screen.queryByText(/^Figures are from \d+:00:07 [AP]M\.$/);
  expect(notice()).toBeNull();
  await pass(3000);
  await act(async () => requests.at(-1)?.fail(new CallError(500, 'Oops')));
  await eventually(() => expect(notice()).toBeTruthy());
  await shownPickedUp(10);
  await pass(3000);
  await reply(progressOf(12, '2027-04-01T12:00:13.000Z'));
  await shownPickedUp(12);
  expect(screen.queryByText(/^Figures are from/)).toBeNull();
  await pass(3000);
  await pass(9000);
  expect(screen.getByText(/^Figures are from \d+:00:13 [AP]M\.$/)).toBeTruthy();
});
