import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useRef, useState, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { useDismissOnFocusOut } from './use-dismiss-on-focus-out.ts';

function Page(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const over = useRef<HTMLDivElement>(null);
  useDismissOnFocusOut(isOpen, [opener, over], () => setIsOpen(false));
  return (
    <>
      <button ref={opener} type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      {isOpen && (
        <div ref={over}>
          <button type="button">Inside</button>
        </div>
      )}
      <button type="button">Underneath</button>
    </>
  );
}
const walkTo = (name: string): void => {
  fireEvent.keyDown(document.body, { key: 'Tab' });
  screen.getByRole('button', { name }).focus();
};
const inside = () => screen.queryByRole('button', { name: 'Inside' });

test('useDismissOnFocusOut keeps a popup open while the focus is inside or on its opener, and closes it when the focus moves elsewhere', async () => {
  render(<Page />);
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  for (const name of ['Inside', 'Open', 'Inside']) walkTo(name);
  await new Promise((resolve) => setTimeout(resolve));
  expect(inside()).toBeTruthy();
  // Removes the focus, so that the next step causes a new focus event.
  (document.activeElement as HTMLElement | null)?.blur();
  walkTo('Underneath');
  await waitFor(() => expect(inside()).toBeNull());
});
