import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { setHasShortcuts } from './shortcut-preference.ts';
import { SearchField } from '../ui/forms/search-field.tsx';

afterEach(() => setHasShortcuts(true));

function show(): HTMLElement {
  render(
    <>
      <SearchField label="Search products" value="brisket" onValue={() => undefined} />
      <input aria-label="Name" />
    </>,
  );
  return screen.getByLabelText('Search products');
}

test('the / key goes to the search with what stands in it chosen, and is not typed (design §2.2)', () => {
  const search = show() as HTMLInputElement;
  expect(fireEvent.keyDown(document.body, { key: '/' })).toBe(false);
  expect(document.activeElement).toBe(search);
  expect([search.selectionStart, search.selectionEnd]).toEqual([0, 7]);
});

test('in a field a / is a letter like others, and so it is with Ctrl and where single keys are switched off (WCAG 2.1.4)', () => {
  const search = show();
  const field = screen.getByLabelText('Name');
  field.focus();
  expect(fireEvent.keyDown(field, { key: '/' })).toBe(true);
  expect(fireEvent.keyDown(document.body, { key: '/', ctrlKey: true })).toBe(true);
  setHasShortcuts(false);
  expect(fireEvent.keyDown(document.body, { key: '/' })).toBe(true);
  expect(document.activeElement).not.toBe(search);
});

test('while a dialog is open the / key leaves what is behind it alone', () => {
  const search = show();
  render(<dialog open aria-label="Pay Now" />);
  expect(fireEvent.keyDown(document.body, { key: '/' })).toBe(true);
  expect(document.activeElement).not.toBe(search);
});
