import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../../test/screen.tsx';
import { makeCall } from '../../client/api/fetch.ts';
import { DistributionPage } from './distribution-page.tsx';

const Detail = (): ReactNode => <DistributionPage waiting="waiting">{({ name }) => <h1>{name}</h1>}</DistributionPage>;

beforeEach(freshDevice);

function open(role: string, answer: Promise<Response>): void {
  const user = { id: 7, email: 'office@bethel.test', role, distributorId: 1 };
  const fetch = (path: string): Promise<Response> => (path === '/api/user' ? Promise.resolve(Response.json(user)) : answer);
  navigate(`/${role}/distribution/9`);
  showScreen(makeCall({ host: '', fetch }), `/${role}/distribution/:id`, Detail);
}

test.each([
  ['distributor', '/distributor'],
  ['agent', '/agent'],
])("when a distribution cannot be loaded, its page shows a heading and the %s's back link", async (role, home) => {
  open(role, Promise.resolve(new Response('Oops', { status: 400 })));
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Distribution');
  expect(screen.getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe(home);
  expect(screen.getByRole('alert').textContent).toContain('Oops');
});

test('the distribution page shows no heading while the distribution is loading', async () => {
  open('distributor', new Promise(() => {}));
  expect(await screen.findByText('waiting')).toBeTruthy();
  expect(screen.queryByRole('heading')).toBeNull();
});
