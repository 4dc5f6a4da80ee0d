import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { setShortcutsOn } from './shortcut-preference.ts';
import { SearchField } from '../ui/forms/search-field.tsx';

afterEach(() => setShortcutsOn(true));

function show(): HTMLElement {
  render(
    <>
      <SearchField label="Search products" value="brisket" onValue={() => undefined} />
      <input aria-label="Name" />
    </>,
  );
  return screen.getByLabelText('Search products');
}

test('when the user presses the / key, the search field gets the focus with its text selected, and the character is not typed', () => {
  const search = show() as HTMLInputElement;
  expect(fireEvent.keyDown(document.body, { key: '/' })).toBe(false);
  expect(document.activeElement).toBe(search);
  expect([search.selectionStart, search.selectionEnd]).toEqual([0, 7]);
});

test('the / key types a character into a focused field, and does not focus the search field with Ctrl or when single-key shortcuts are off (WCAG 2.1.4)', () => {
  const search = show();
  const field = screen.getByLabelText('Name');
  field.focus();
  expect(fireEvent.keyDown(field, { key: '/' })).toBe(true);
  expect(fireEvent.keyDown(document.body, { key: '/', ctrlKey: true })).toBe(true);
  setShortcutsOn(false);
  expect(fireEvent.keyDown(document.body, { key: '/' })).toBe(true);
  expect(document.activeElement).not.toBe(search);
});

test('the / key does not move the focus out of an open dialog', () => {
  const search = show();
  render(<dialog open aria-label="Pay Now" />);
  expect(fireEvent.keyDown(document.body, { key: '/' })).toBe(true);
  expect(document.activeElement).not.toBe(search);
});
