import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { BackLink } from './back-link.tsx';

const LIST = '/distributor/distribution/9';
afterEach(() => vi.unstubAllGlobals());

test('the back link returns to the list with its filters, and leaves Ctrl+click to the browser (contract §10)', () => {
  const back = vi.spyOn(history, 'back').mockImplementation(() => undefined);
  const pages = [`${LIST}?tab=customers&customers.name=adler`, '/distributor/edit-order/9/4'];
  const entries = pages.map((path, index) => ({ index, sameDocument: true, getState: () => path }));
  vi.stubGlobal('navigation', { currentEntry: entries[1], entries: () => entries });
  navigate('/distributor/edit-order/9/4');
  render(<BackLink href={`${LIST}?tab=customers`} label="Back to Passover" />);
  const link = screen.getByRole('link', { name: 'Back to Passover' });
  // Returns whether the link handles the click itself instead of the browser.
  const isOurs = (event: MouseEventInit): boolean => !fireEvent.click(link, event);
  expect([isOurs({}), back.mock.calls.length]).toEqual([true, 1]);
  document.addEventListener('click', (event) => event.preventDefault(), { once: true });
  fireEvent.click(link, { ctrlKey: true });
  expect(back).toHaveBeenCalledTimes(1);
});
