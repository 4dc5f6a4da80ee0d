import { act, cleanup, createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Dialog } from './dialog.tsx';

/** Simulates the part of the browser's Navigation API that a dialog uses. */
class History extends EventTarget {
  currentEntry = { index: 2 };

  /** Navigates to an entry of the history. Returns whether the browser leaves the page, because no dialog prevented it. */
  goesTo(index: number): boolean {
    const event = new Event('navigate', { cancelable: true });
    Object.assign(event, { navigationType: 'traverse', destination: { index } });
    act(() => void this.dispatchEvent(event));
    return !event.defaultPrevented;
  }
}

let history: History;
beforeEach(() => {
  history = new History();
  vi.stubGlobal('navigation', history);
  window.matchMedia = () => ({ matches: true }) as MediaQueryList;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const close = vi.fn<() => void>();
const show = (isDirty: boolean): void => {
  close.mockClear();
  render(
    <Dialog onClose={close} title="Add Fee" isDirty={isDirty}>
      <input aria-label="Name" />
    </Dialog>,
  );
};

test("the browser's Back button closes a dialog in which nothing was typed, and stays on the page", () => {
  show(false);
  expect(history.goesTo(1)).toBe(false);
  expect(close).toHaveBeenCalledTimes(1);
});

test("the browser's Back button opens a question before typing in a dialog is discarded; a second Back cancels that question and keeps the typing", () => {
  show(true);
  expect(history.goesTo(1)).toBe(false);
  expect(screen.getByRole('alertdialog', { name: 'Discard what you typed?' }).textContent).toContain('It has not been saved yet.');
  expect(history.goesTo(1)).toBe(false);
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(close).not.toHaveBeenCalled();
});

test('closing a dialog in which something was typed asks for a confirmation; Discard then closes the dialog', () => {
  show(true);
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.getByRole('button', { name: 'Keep editing' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(close).toHaveBeenCalledTimes(1);
});

test('the second press of a double click does not close a dialog that the first one has opened or made smaller; a later press beside it does', async () => {
  show(false);
  // Until the next task, Radix takes no press for one beside the dialog.
  await new Promise((resolve) => setTimeout(resolve));
  const pressBeside = (timeStamp: number): void => {
    const press = createEvent.pointerDown(document.body, { pointerType: 'mouse', button: 0 });
    Object.defineProperty(press, 'timeStamp', { value: timeStamp });
    fireEvent(document.body, press);
    fireEvent.click(document.body);
  };
  const now = performance.now();
  pressBeside(now);
  expect(close).not.toHaveBeenCalled();
  pressBeside(now + 600);
  expect(close).toHaveBeenCalledTimes(1);
});

test('the browser asks before a reload discards typing in a dialog, and no longer after the dialog has closed', () => {
  const asks = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  show(false);
  expect(asks()).toBe(false);
  cleanup();
  show(true);
  expect(asks()).toBe(true);
  cleanup();
  expect(asks()).toBe(false);
});

test('an open dialog never blocks forward navigation, and without an open dialog no navigation is blocked', () => {
  show(true);
  expect(history.goesTo(3)).toBe(true);
  cleanup();
  expect(history.goesTo(1)).toBe(true);
});

test('the focus moves to the dialog when a confirmation closes and the button that opened the confirmation has disappeared', async () => {
  function Upload(): ReactNode {
    const [step, setStep] = useState<'check' | 'asked' | 'saved'>('check');
    return (
      <Dialog onClose={close} title="Upload Products">
        {step !== 'saved' && <button onClick={() => setStep('asked')}>Save 4 products</button>}
        {step === 'asked' && (
          <ConfirmDialog title="Change the price?" confirmLabel="Change the price" onConfirm={() => setStep('saved')}>
            It is on two orders.
          </ConfirmDialog>
        )}
      </Dialog>
    );
  }
  render(<Upload />);
  screen.getByRole('button', { name: 'Save 4 products' }).focus();
  fireEvent.click(document.activeElement ?? document.body);
  fireEvent.click(screen.getByRole('button', { name: 'Change the price' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('dialog', { name: 'Upload Products' })));
});
