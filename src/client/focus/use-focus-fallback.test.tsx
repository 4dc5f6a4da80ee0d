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

test('a button that goes leaves the focus to what it stood in, and that to what is around it', async () => {
  const change = show();
  change({ button: false });
  expect(focused()).toBe('BODY');
  await waitFor(() => expect(focused()).toBe('tabpanel'));
  change({ panel: false });
  await waitFor(() => expect(focused()).toBe('MAIN'));
});

test('what goes out of a card with a heading of its own, as a paid row does, leaves the focus to the heading', async () => {
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

test('a button that is disabled as long as it saves gets the focus back', async () => {
  const change = show();
  // A browser takes the focus from what is disabled.
  screen.getByRole('button').blur();
  change({ isSaving: true });
  await waitFor(() => expect(focused()).toBe('tabpanel'));
  change({});
  await waitFor(() => expect(focused()).toBe('BUTTON'));
});

test('so does one that has saved in a moment', async () => {
  const change = show();
  screen.getByRole('button').blur();
  change({ isSaving: true });
  await Promise.resolve();
  change({});
  await waitFor(() => expect(focused()).toBe('BUTTON'));
});

test('what goes from outside of the page, as a dialog does whose opener can no longer be pressed, leaves the focus to the page', async () => {
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

/** Not the browser's own. */
const RADIX_DIALOG = { role: 'dialog', tabIndex: -1 };

test('a question that goes with the button of the dialog that asked it leaves the focus to that dialog', async () => {
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

test('whoever has gone on is left where they are', async () => {
  const change = show();
  screen.getByRole('link').focus();
  change({ button: false });
  await new Promise((resume) => setTimeout(resume, 200));
  expect(focused()).toBe('A');
});
