import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Route, Switch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { RowLink } from './row-actions.tsx';

beforeEach(() => navigate('/agent/distribution/2'));
afterEach(cleanup);

function Customers(): ReactNode {
  return (
    <main tabIndex={-1}>
      <button>Elsewhere</button>
      <RowLink row={7} href="/agent/orders/7/actual-quantities" label="Weights of Adler, Moshe">
        Weights
      </RowLink>
      <RowLink row={8} href="/agent/orders/8/actual-quantities" label="Weights of Cohen, Dina">
        Weights
      </RowLink>
    </main>
  );
}
const App = (): ReactNode => (
  <Switch>
    <Route path="/agent/distribution/2" component={Customers} />
    <Route>Weighing</Route>
  </Switch>
);
const link = (name: string): HTMLElement => screen.getByRole('link', { name });
const goBack = async (): Promise<void> => {
  history.back();
  await screen.findByRole('button', { name: 'Elsewhere' });
};

test('when the user returns from the order of a row, the table focuses the link of that row once', async () => {
  const { unmount } = render(<App />);
  fireEvent.click(link('Weights of Cohen, Dina'));
  expect(document.body.textContent).toBe('Weighing');
  await goBack();
  expect(document.activeElement).toBe(link('Weights of Cohen, Dina'));
  unmount();
  render(<App />);
  expect(document.activeElement).toBe(document.body);
});

test('the table focuses no row when the user opens a list for the first time', () => {
  render(<App />);
  fireEvent.click(link('Weights of Adler, Moshe'));
  fireEvent.click(document.body);
  cleanup();
  navigate('/agent/distribution/2');
  render(<App />);
  expect(document.activeElement).toBe(document.body);
});
