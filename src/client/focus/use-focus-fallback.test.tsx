import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Card } from '../ui/layout/card.tsx';
import { useFocusFallback } from './use-focus-fallback.ts';

afterEach(cleanup);

interface Shown {
  readonly panel?: boolean;
  readonly button?: boolean;
  readonly isSaving?: boolean;
}

function Page({ panel = true, button = true, isSaving = false }: Shown) {
  useFocusFallback();
  return (
    <main tabIndex={-1}>
      <a href="/elsewhere">Elsewhere</a>
      {panel && (
        <div role="tabpanel" tabIndex={0}>
          {button && <button disabled={isSaving}>Add Fee</button>}
        </div>
      )}
    </main>
  );
}

const focused = (): string | null | undefined => document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName;

function show() {
  const { rerender } = render(<Page />);
  screen.getByRole('button').focus();
  return (next: Shown): void => rerender(<Page {...next} />);
}

test('when the focused button is removed, useFocusFallback focuses its container; when the container is removed too, the next outer container', async () => {
  const change = show();
  change({ button: false });
  expect(focused()).toBe('BODY');
  await waitFor(() => expect(focused()).toBe('tabpanel'));
  change({ panel: false });
  await waitFor(() => expect(focused()).toBe('MAIN'));
});

test("useFocusFallback moves the focus to the card's heading when a row is removed from the card, for example after its payment", async () => {
  function Customers({ row }: { row: boolean }) {
    useFocusFallback();
    return (
      <main tabIndex={-1}>
        <div role="tabpanel" tabIndex={0}>
          <Card title="Customers" keepsFocus>
            {row && <button>Record payment of Adler, Moshe</button>}
          </Card>
        </div>
      </main>
    );
  }
  const { rerender } = render(<Customers row />);
  screen.getByRole('button').focus();
  rerender(<Customers row={false} />);
  await waitFor(() => expect(focused()).toBe('H2'));
  expect(document.activeElement?.textContent).toBe('Customers');
});

test("useFocusFallback focuses the card's heading when the focused link disappears, even if the link got the focus while the page rendered", async () => {
  function Families({ row }: { row: boolean }) {
    useFocusFallback();
    return (
      <main tabIndex={-1}>
        <Card title="Customers" keepsFocus>
          {row && (
            <a href="/weights" ref={(link) => link?.focus()}>
              Weights
            </a>
          )}
        </Card>
      </main>
    );
  }
  const { rerender } = render(<Families row />);
  expect(focused()).toBe('A');
  rerender(<Families row={false} />);
  await waitFor(() => expect(focused()).toBe('H2'));
});

test('useFocusFallback returns the focus to a button that was disabled during its save', async () => {
  const change = show();
  // Browsers remove the focus from a disabled element, so the test does the same.
  screen.getByRole('button').blur();
  change({ isSaving: true });
  await waitFor(() => expect(focused()).toBe('tabpanel'));
  change({});
  await waitFor(() => expect(focused()).toBe('BUTTON'));
});

test('useFocusFallback returns the focus to a button that was disabled only for a moment, because its save finished at once', async () => {
  const change = show();
  screen.getByRole('button').blur();
  change({ isSaving: true });
  await Promise.resolve();
  change({});
  await waitFor(() => expect(focused()).toBe('BUTTON'));
});

test("useFocusFallback moves the focus to the page when a closed dialog's opener can no longer be focused", async () => {
  function Closing({ isOpen }: { isOpen: boolean }) {
    useFocusFallback();
    return (
      <>
        <main tabIndex={-1} />
        {isOpen && (
          <dialog open>
            <button>Close Ordering</button>
          </dialog>
        )}
      </>
    );
  }
  const { rerender } = render(<Closing isOpen />);
  screen.getByRole('button').focus();
  rerender(<Closing isOpen={false} />);
  await waitFor(() => expect(focused()).toBe('MAIN'));
});

/** Attributes of a dialog from Radix, which is not the native dialog element. */
const RADIX_DIALOG = { role: 'dialog', tabIndex: -1 };

test('useFocusFallback moves the focus to the dialog when a confirmation closes and the button that opened it has disappeared', async () => {
  function Uploading({ isAsking }: { isAsking: boolean }) {
    useFocusFallback();
    return (
      <>
        <main tabIndex={-1} />
        <div {...RADIX_DIALOG} />
        {isAsking && (
          <div role="alertdialog">
            <button>Change the price</button>
          </div>
        )}
      </>
    );
  }
  const { rerender } = render(<Uploading isAsking />);
  screen.getByRole('button').focus();
  rerender(<Uploading isAsking={false} />);
  await waitFor(() => expect(focused()).toBe('dialog'));
});

test('useFocusFallback leaves the focus where the user has moved it before the previously focused button is removed', async () => {
  const change = show();
  screen.getByRole('link').focus();
  change({ button: false });
  await new Promise((resume) => setTimeout(resume, 200));
  expect(focused()).toBe('A');
});
