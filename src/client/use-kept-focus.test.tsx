// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useKeptFocus } from './use-kept-focus.ts';

afterEach(cleanup);

interface Shown {
  readonly panel?: boolean;
  readonly button?: boolean;
  readonly isSaving?: boolean;
}

function Page({ panel = true, button = true, isSaving = false }: Shown) {
  useKeptFocus();
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

test('a button that is disabled as long as it saves gets the focus back', async () => {
  const change = show();
  // A browser takes the focus from what is disabled.
  screen.getByRole('button').blur();
  change({ isSaving: true });
  await waitFor(() => expect(focused()).toBe('tabpanel'));
  change({});
  await waitFor(() => expect(focused()).toBe('BUTTON'));
});

test('whoever has gone on is left where they are', async () => {
  const change = show();
  screen.getByRole('link').focus();
  change({ button: false });
  await new Promise((resume) => setTimeout(resume, 200));
  expect(focused()).toBe('A');
});
