import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismissToasts, showToastsIn, toast } from './toast.ts';
import { Toaster } from './toaster.tsx';

beforeEach(() => {
  // An earlier test file of this worker process may have left toasts.
  dismissToasts();
  vi.useFakeTimers();
  render(<Toaster />);
});
afterEach(() => {
  act(dismissToasts);
  cleanup();
  vi.useRealTimers();
});

const wait = (milliseconds: number): void => act(() => void vi.advanceTimersByTime(milliseconds));
const shown = (): (string | null)[] => [...document.querySelectorAll('.toast')].map((card) => card.textContent);

test('the toaster shows a default toast for 5,000 ms (spec §9; contract §10)', () => {
  act(() => void toast({ title: 'Fee added successfully' }));
  expect(screen.getByRole('region').getAttribute('aria-label')).toBe('Notifications (F8)');
  wait(4_900);
  expect(shown()).toEqual(['Fee added successfully']);
  wait(200);
  expect(shown()).toEqual([]);
});

test('the toaster pauses the timer while the pointer is over the toast (contract §10)', () => {
  act(() => void toast({ title: 'Fee added successfully' }));
  wait(4_000);
  fireEvent.pointerMove(screen.getByText('Fee added successfully'));
  wait(20_000);
  expect(shown()).toEqual(['Fee added successfully']);
  fireEvent.pointerLeave(document.querySelector('[role=region]') as Element);
  wait(1_100);
  expect(shown()).toEqual([]);
});

test('the toaster keeps an error toast until the user closes it, and shows a later success message on the card of the error for 5,000 ms (spec §3, §9; contract §10)', () => {
  act(() => {
    toast({ title: 'Error', description: '409: Ordering is closed', variant: 'destructive' });
    toast({ title: 'Success', description: 'Contact information saved' });
  });
  expect(shown()).toEqual(['Error409: Ordering is closedSuccessContact information saved']);
  wait(4_900);
  expect(shown()).toEqual(['Error409: Ordering is closedSuccessContact information saved']);
  wait(200);
  expect(shown()).toEqual(['Error409: Ordering is closed']);
  wait(60_000);
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(shown()).toEqual([]);
});

test("when an error's card also shows a success message, the toaster keeps that message while the pointer is over the card, and runs the message's action only once (contract §10)", () => {
  const undo = vi.fn<() => void>();
  act(() => {
    toast({ title: 'Error', description: '409: Ordering is closed', variant: 'destructive' });
    toast({ title: 'Fee deleted successfully', action: { label: 'Undo', onClick: undo } });
  });
  wait(4_000);
  fireEvent.pointerMove(screen.getByText('Fee deleted successfully'));
  wait(20_000);
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledTimes(1);
  expect(shown()).toEqual(['Error409: Ordering is closed']);
});

test('the toaster shows the name of a second error on the card of the first error (contract §10)', () => {
  act(() => {
    toast({ title: 'Error', description: '409: Ordering is closed', variant: 'destructive' });
    toast({ title: 'Error', description: '404: Not found', variant: 'destructive' });
  });
  expect(shown()).toEqual(['Error409: Ordering is closedNext: 404: Not found']);
});

test('the toaster updates a progress toast in place, and keeps it longer than 5,000 ms (spec §8)', () => {
  let progress: ReturnType<typeof toast> | undefined;
  act(() => void (progress = toast({ title: 'Saving 1/2 Brisket', duration: Infinity })));
  wait(6_000);
  act(() => progress?.update({ title: 'Saving 2/2 Wine' }));
  expect(shown()).toEqual(['Saving 2/2 Wine']);
  act(() => progress?.dismiss());
  expect(shown()).toEqual([]);
});

test('the toaster runs the action of a toast once, and then closes the toast (spec §3)', () => {
  const undo = vi.fn<() => void>();
  act(() => void toast({ title: 'Fee deleted successfully', action: { label: 'Undo', onClick: undo } }));
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledTimes(1);
  expect(shown()).toEqual([]);
});

test('the toaster shows a toast inside an open native dialog, where the user can close it although the page behind is inert', () => {
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.open = true;
  act(() => void toast({ title: 'Error', description: '409: Ordering is closed', variant: 'destructive' }));
  let back = (): void => undefined;
  act(() => void (back = showToastsIn(dialog)));
  expect(dialog.textContent).toContain('Ordering is closed');
  act(() => back());
  expect(dialog.textContent).toBe('');
  expect(shown()).toEqual(['Error409: Ordering is closed']);
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(shown()).toEqual([]);
  dialog.remove();
});
