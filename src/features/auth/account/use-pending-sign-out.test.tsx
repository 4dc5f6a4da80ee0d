// Tests that the session of a user who has signed out without a network is ended later (contract §14).
import { screen, waitFor } from '@testing-library/react';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { makeCall } from '../../../client/api/fetch.ts';
import { makeQueryClient } from '../../../client/api/use-calls.ts';
import { LogoutButton } from './logout-button.tsx';

const HANNAH = { id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: 7 } as const;
/** The server, unlike a proxy, sends its request id with each response. */
const endedByServer = (): Response => new Response(null, { status: 204, headers: { 'x-request-id': '1' } });

beforeEach(freshDevice);

test('a user who signed out without a network is not signed in again when the page is loaded later (contract §14)', async () => {
  localStorage.setItem('feastday.pending-sign-out', 'yes');
  const sent: string[] = [];
  const call = makeCall({
    host: '',
    fetch: async (path) => {
      sent.push(path);
      return path === '/api/logout' ? endedByServer() : new Response('Please sign in.', { status: 401 });
    },
  });
  showScreen(call, '*', LogoutButton);
  await waitFor(() => expect(sent).toEqual(['/api/logout', '/api/user']));
  expect(screen.queryByRole('button', { name: 'Logout' })).toBeNull();
});

test.each([
  ['401 with a page', () => new Response('<h1>401</h1>', { status: 401, headers: { 'content-type': 'text/html' } })],
  ['204', () => new Response(null, { status: 204 })],
  ['200 without a body', () => new Response('')],
  ['200 with JSON', () => Response.json({})],
])('a sign-out without a network is still pending after a proxy has replied %s (reliability abuse)', async (_, answer) => {
  localStorage.setItem('feastday.pending-sign-out', 'yes');
  const replies = [answer, endedByServer];
  const sent: string[] = [];
  const call = makeCall({
    host: '',
    fetch: async (path) => {
      sent.push(path);
      return path === '/api/logout' ? (replies.shift() ?? endedByServer)() : new Response('Please sign in.', { status: 401 });
    },
  });
  showScreen(call, '*', LogoutButton);
  await waitFor(() => expect(replies).toEqual([endedByServer]));
  // The reply has been handled when the next attempt sends a request.
  await waitFor(() => {
    dispatchEvent(new Event('online'));
    expect(replies).toEqual([]);
  });
  await waitFor(() => expect([sent, Object.keys(localStorage)]).toEqual([['/api/logout', '/api/logout', '/api/user'], []]));
});

describe('a tab whose user has signed out in another tab that could not reach the server', () => {
  const anotherTab = new BroadcastChannel('feastday-user');
  afterAll(() => anotherTab.close());

  /** Shows the screen of a user in this tab. `signOutElsewhere` does what another tab does when the user signs out there. */
  async function showTab() {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const server = { endsSessions: false, isSignedIn: true, sent: [] as string[] };
    const call = makeCall({
      host: '',
      fetch: async (path) => {
        server.sent.push(path);
        if (path !== '/api/logout') return server.isSignedIn ? Response.json(HANNAH) : new Response('Please sign in.', { status: 401 });
        if (!server.endsSessions) throw new TypeError('fetch failed');
        server.isSignedIn = false;
        return endedByServer();
      },
    });
    const client = makeQueryClient();
    showScreen(call, '*', LogoutButton, client);
    await vi.waitFor(() => expect(isShown()).toBe(true));
    const signOutElsewhere = (): void => {
      localStorage.setItem('feastday.pending-sign-out', 'yes');
      dispatchEvent(new StorageEvent('storage', { key: 'feastday.pending-sign-out' }));
      anotherTab.postMessage(null);
    };
    return { server, signOutElsewhere, changeRoute: () => client.invalidateQueries() };
  }
  const isShown = (): boolean => screen.queryByRole('button', { name: 'Logout' }) !== null;

  test('shows the user no more, also if the server can be reached again, and ends the session (reliability abuse)', async () => {
    const { server, signOutElsewhere, changeRoute } = await showTab();
    signOutElsewhere();
    await vi.waitFor(() => expect([isShown(), server.sent.includes('/api/logout')]).toEqual([false, true]));
    server.sent.length = 0;
    await changeRoute();
    expect([isShown(), server.sent]).toEqual([false, []]);
    server.endsSessions = true;
    await vi.advanceTimersByTimeAsync(30_000);
    await vi.waitFor(() => expect([server.isSignedIn, Object.keys(localStorage)]).toEqual([false, []]));
    expect(isShown()).toBe(false);
  });

  test('requests the signed-in user again as soon as another tab has ended the session (reliability abuse)', async () => {
    const { server, signOutElsewhere } = await showTab();
    signOutElsewhere();
    await vi.waitFor(() => expect(isShown()).toBe(false));
    server.sent.length = 0;
    server.isSignedIn = false;
    localStorage.removeItem('feastday.pending-sign-out');
    dispatchEvent(new StorageEvent('storage', { key: 'feastday.pending-sign-out' }));
    await vi.waitFor(() => expect(server.sent).toEqual(['/api/user']));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(server.sent).toEqual(['/api/user']);
  });
});
