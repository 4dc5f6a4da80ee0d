// Tests a form whose initial values come from stored data. The text that a user has typed must survive a failed reload of the data. The
// form must never start with outdated values from the cache.
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { ComponentType } from 'react';
import { expect } from 'vitest';
import { makeCall } from '../src/client/api/fetch.ts';
import { makeQueryClient } from '../src/client/api/use-calls.ts';
import { showScreen } from './screen.tsx';

interface SeededForm {
  readonly user: object;
  /** The route pattern of the screen. The test must already have navigated to a URL that matches this pattern. */
  readonly at: string;
  readonly form: ComponentType;
  readonly read: string;
  readonly stored: object;
  /** The label of the field that the test uses. `value` is the initial value of this field. */
  readonly label: string;
  readonly value: string;
  readonly typed: string;
}

export async function expectReseeded({ user, at, form, read, stored, label, value, typed }: SeededForm): Promise<void> {
  const client = makeQueryClient();
  let isAway = false;
  const answer = (): Response => (isAway ? new Response('Down for a minute.', { status: 503 }) : Response.json(stored));
  const fetch = async (path: string): Promise<Response> => (path === '/api/user' ? Response.json(user) : answer());
  const show = (): void => showScreen(makeCall({ host: '', fetch }), at, form, client);
  show();
  fireEvent.change(await screen.findByLabelText(label), { target: { value: typed } });
  isAway = true;
  await client.invalidateQueries();
  await waitFor(() => expect(client.getQueryState([read])?.status).toBe('error'));
  expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe(typed);

  isAway = false;
  await client.invalidateQueries();
  cleanup();
  isAway = true;
  show();
  expect(await screen.findByText('Down for a minute.')).toBeTruthy();
  expect(screen.queryByLabelText(label)).toBeNull();
  isAway = false;
  fireEvent.click(screen.getByText('Try again'));
  expect((await screen.findByLabelText<HTMLInputElement>(label)).value).toBe(value);
}
