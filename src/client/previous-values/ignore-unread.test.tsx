import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Button } from '../ui/forms/button.tsx';
import { Form } from '../ui/forms/form.tsx';
import { ignoreUnread } from './ignore-unread.ts';

/** The time until which nobody can have read what the form shows. */
const READ_AT = 5000;

function show(): void {
  render(
    <Form {...ignoreUnread((pressedAt) => pressedAt < READ_AT)} onSubmit={() => undefined}>
      <input aria-label="Name" />
      <textarea aria-label="Note" />
      <Button type="submit">Save</Button>
      <Button>Cancel</Button>
    </Form>,
  );
}

const elementOf = (name: string): HTMLElement => screen.queryByLabelText(name) ?? screen.getByRole('button', { name });

/** Presses Enter in an element, or clicks it. Returns whether the browser does what this normally does, such as submitting the form. */
function press(name: string, { at, repeat = false, isClick = false }: { at: number; repeat?: boolean; isClick?: boolean }): boolean {
  const element = elementOf(name);
  const event = isClick ? createEvent.click(element) : createEvent.keyDown(element, { key: 'Enter', repeat });
  Object.defineProperty(event, 'timeStamp', { value: at });
  return fireEvent(element, event);
}

test.each([
  ['Enter in a field', 'Name', false],
  ['Enter on the submit button', 'Save', false],
  ['a click on the submit button', 'Save', true],
])('%s submits a form only if it was pressed after the user could have read what the form shows', (_, name, isClick) => {
  show();
  expect(press(name, { at: READ_AT - 1, isClick })).toBe(false);
  expect(press(name, { at: READ_AT + 1, isClick })).toBe(true);
});

test('an Enter key that is held down submits a form only once', () => {
  show();
  expect(['Name', 'Save'].map((name) => press(name, { at: READ_AT + 1, repeat: true }))).toEqual([false, false]);
});

test('Enter in a field with several lines and the other buttons of a form are never ignored', () => {
  show();
  expect(['Note', 'Cancel'].map((name) => press(name, { at: 0, repeat: true }))).toEqual([true, true]);
  expect(press('Cancel', { at: 0, isClick: true })).toBe(true);
});
