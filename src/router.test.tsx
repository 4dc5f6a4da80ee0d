import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCall } from './client/api/fetch.ts';
import { CallContext, makeQueryClient } from './client/api/use-calls.ts';
import { AuthProvider } from './features/auth/auth-provider.tsx';
import { ROUTES, Screens } from './router.tsx';

const TABLE = [
  ['/', 'admin'],
  ['/distributor', 'distributor'],
  ['/distributor/distribution/{id}', 'distributor'],
  ['/distributor/print-order/{id}', 'distributor'],
  ['/distributor/edit-order/{distributionId}/{customerId}', 'distributor'],
  ['/distributor/distribution/{distributionId}/report', 'distributor'],
  ['/distributor/orders/{orderId}/actual-quantities', 'distributor'],
  ['/agent', 'agent'],
  ['/agent/distribution/{distributionId}', 'agent'],
  ['/agent/orders/{orderId}/actual-quantities', 'agent'],
  ['/agent/edit-order/{distributionId}/{customerId}', 'agent'],
  ['/agent/print-order/{id}', 'agent'],
  ['/customer', 'customer'],
  ['/customer/order/{distributionId}', 'customer'],
  ['/customer/contact-info', 'customer'],
  ['/customer/orders/{orderId}/actual-quantities', 'customer'],
  ['/customer/print-order/{distributionId}', 'customer'],
  ['/customer/print-pricesheet/{distributionId}', 'customer'],
] as const;
const HOMES = { admin: '/', distributor: '/distributor', agent: '/agent', customer: '/customer' } as const;
type Role = keyof typeof HOMES;

const addressOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '7');

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
});

/** Opens a URL. The API call for the current user returns `user`. Every other API call stays pending. */
function open(address: string, user: () => Promise<Response>): string[] {
  navigate(address, { replace: true });
  const requests: string[] = [];
  const call = makeCall({
    host: '',
    fetch: (path) => {
      requests.push(path);
      return path === '/api/user' ? user() : new Promise(() => undefined);
    },
  });
  render(
    <CallContext value={call}>
      <QueryClientProvider client={makeQueryClient()}>
        <AuthProvider>
          <Screens />
        </AuthProvider>
      </QueryClientProvider>
    </CallContext>,
  );
  return requests;
}
const nobody = async (): Promise<Response> => new Response('Please sign in.', { status: 401 });
const somebody = (role: Role) => async (): Promise<Response> =>
  Response.json({ id: 3, email: `${role}@mail.test`, role, distributorId: role === 'admin' || role === 'distributor' ? null : 1 });

test("the table of routes equals the specification's table, and each path has exactly one role (spec §2, §6)", () => {
  // The names of the parameters are not part of a URL, so they may differ from those in the specification.
  const known = new Map(ROUTES.map(({ path, role }) => [path.replaceAll(/:\w+/g, '{}'), role]));
  expect(TABLE.map(([path]) => [path, known.get(path.replaceAll(/\{\w+\}/g, '{}'))])).toEqual(TABLE);
  // Some paths are not in the specification's table. They are below the home path of their role.
  for (const [path, role] of known) expect(path.startsWith(HOMES[role])).toBe(true);
});

test.each([
  ['is busy', () => Promise.resolve(new Response('The server is busy.', { status: 503 })), 'The server is busy.'],
  ['limits the number of requests', () => Promise.resolve(new Response('Too many requests.', { status: 429 })), 'Too many requests.'],
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch')), 'Feastday could not be reached'],
])('when the server %s, the router keeps the URL and offers to try again, because the user may be signed in', async (_, answer, text) => {
  let isUp = false;
  open('/customer', () => (isUp ? somebody('customer')() : answer()));
  expect((await screen.findByRole('alert')).textContent).toContain(text);
  expect(location.pathname).toBe('/customer');
  isUp = true;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(location.pathname).toBe('/customer');
});

test.each(TABLE)('the router redirects a signed-out visitor from %s to /auth (spec §2)', async (path) => {
  const requests = open(addressOf(path), nobody);
  await screen.findByRole('heading', { name: 'Welcome back' });
  expect(location.pathname).toBe('/auth');
  // While the user was unknown, the router mounted no guarded screen. So far the only request is that for the user.
  expect(new Set(requests)).toEqual(new Set(['/api/user']));
});

test.each(TABLE)(
  "the router redirects a user from %s, which is only for the role %s, to /auth and from there to the home page of the user's own role (spec §2, §6)",
  async (path, role) => {
    for (const other of ['admin', 'distributor', 'agent', 'customer'] as const) {
      if (other === role) continue;
      const went = vi.spyOn(history, 'replaceState');
      open(addressOf(path), somebody(other));
      await waitFor(() => expect(location.pathname).toBe(HOMES[other]));
      expect(went.mock.calls.map(([, , to]) => to)).toEqual(expect.arrayContaining(['/auth', HOMES[other]]));
      went.mockRestore();
      cleanup();
    }
  },
);

test('the router shows a spinner on a screen that requires a sign-in while the current user is loading (spec §2)', async () => {
  let answer: (value: Response) => void = () => undefined;
  open('/customer/contact-info', () => new Promise((resolve) => (answer = resolve)));
  expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy();
  expect(location.pathname).toBe('/customer/contact-info');
  await act(async () => answer(await nobody()));
  await screen.findByRole('heading', { name: 'Welcome back' });
});
