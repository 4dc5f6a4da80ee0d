import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { PageHeader } from './page-header.tsx';
import { Page } from './page.tsx';
import { SourceLine } from './source-line.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

const show = (): void =>
  void render(
    <Page>
      <PageHeader title="Customer Dashboard" />
      <SourceLine />
    </Page>,
  );

test('every page sets the title of the browser tab, offers a skip link, and links to the source code at the bottom', () => {
  show();
  expect(document.title).toBe('Customer Dashboard · Feastday');
  expect(screen.getByText('Skip to content').getAttribute('href')).toBe('#main');
  expect(screen.getByText('Source code').getAttribute('href')).toBe('/source');
});

test('a button switches the colors between system, light and dark, and names the current choice', () => {
  show();
  const said: (string | null)[] = [];
  const told: string[] = [];
  for (let press = 0; press < 4; press += 1) {
    const button = screen.getByLabelText(/^Colors/);
    said.push(button.getAttribute('aria-label'), document.documentElement.dataset['theme'] ?? null);
    told.push(document.cookie);
    fireEvent.click(button);
  }
  expect(said).toEqual(['Colors: as the system', null, 'Colors: light', 'light', 'Colors: dark', 'dark', 'Colors: as the system', null]);
  expect(told, 'what the server is told').toEqual(['', 'feastday_theme=light', 'feastday_theme=dark', '']);
});

test('every page shows a banner while the browser is offline', () => {
  show();
  const sentence = 'You are offline. What you type stays here; save when the connection is back.';
  expect(screen.queryByText(sentence)).toBeNull();
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void dispatchEvent(new Event('offline')));
  expect(screen.getByText(sentence).closest('output')).toBeTruthy();
  onLine.mockReturnValue(true);
  act(() => void dispatchEvent(new Event('online')));
  expect(screen.queryByText(sentence)).toBeNull();
});
