// Tests when the counter reports that it is ready to be opened without a network (contract §14).
import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { keepStorage, registerWorker } from './register-worker.ts';

beforeEach(() => vi.stubEnv('PROD', true));
afterEach(() => {
  vi.unstubAllEnvs();
  Reflect.deleteProperty(navigator, 'serviceWorker');
  Reflect.deleteProperty(navigator, 'storage');
});

/** Simulates a service worker, which is being installed or already active. */
function simulateWorker(state: ServiceWorkerState) {
  const worker = Object.assign(new EventTarget(), { state });
  const place = state === 'activated' ? { active: worker, installing: null } : { active: null, installing: worker };
  const registration = { ...place, waiting: null, update: () => Promise.reject(new TypeError('no network')) };
  const register = vi.fn<(script: string, options: object) => Promise<object>>(async () => registration);
  const old = {
    scope: 'https://feast.example/distributor/distribution/12/counter',
    unregister: vi.fn<() => Promise<boolean>>(async () => true),
  };
  const getRegistration = async () => old;
  Object.defineProperty(navigator, 'serviceWorker', { value: { register, getRegistration }, configurable: true });
  return {
    register,
    old,
    finish: (next: ServiceWorkerState) => {
      worker.state = next;
      worker.dispatchEvent(new Event('statechange'));
    },
  };
}

test('the counter is ready when its service worker has stored its files (contract §14)', async () => {
  const worker = simulateWorker('installing');
  const onReady = vi.fn<() => void>();
  const registering = registerWorker(onReady).catch(() => undefined);
  await Promise.resolve();
  expect(onReady).not.toHaveBeenCalled();
  worker.finish('installed');
  worker.finish('activated');
  await registering;
  expect(onReady).toHaveBeenCalledOnce();
});

test('a counter whose files are stored already is ready without a network (contract §14)', async () => {
  simulateWorker('activated');
  const onReady = vi.fn<() => void>();
  await expect(registerWorker(onReady)).rejects.toThrow('no network');
  expect(onReady).toHaveBeenCalledOnce();
});

test('a counter whose files could not be stored is not ready (contract §14)', async () => {
  const worker = simulateWorker('installing');
  const onReady = vi.fn<() => void>();
  const registering = registerWorker(onReady).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve));
  worker.finish('redundant');
  await registering;
  expect(onReady).not.toHaveBeenCalled();
});

test("the service worker of a counter is registered for the distribution's own page and all pages below it (contract §14)", async () => {
  navigate('/distributor/distribution/12/counter');
  const { register } = simulateWorker('activated');
  await expect(registerWorker(() => undefined)).rejects.toThrow('no network');
  expect(register.mock.calls).toMatchObject([['/counter-worker.js', { scope: '/distributor/distribution/12' }]]);
});

test('the service worker that an earlier version registered for the counter page alone is removed (contract §14)', async () => {
  const { old } = simulateWorker('activated');
  await expect(registerWorker(() => undefined)).rejects.toThrow('no network');
  expect(old.unregister).toHaveBeenCalledOnce();
});

test("the counter asks the browser to store the counter's data permanently (contract §14)", async () => {
  await keepStorage();
  const persist = vi.fn<() => Promise<boolean>>(async () => true);
  Object.defineProperty(navigator, 'storage', { value: { persist }, configurable: true });
  await keepStorage();
  await waitFor(() => expect(persist).toHaveBeenCalledOnce());
});
