import { render, screen } from '@testing-library/react';
import { Activity, useRef, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { useFirstFocus } from './use-first-focus.ts';

function Order({ isHidden }: { isHidden: boolean }): ReactNode {
  const top = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useFirstFocus({ top, form, formId: 'order', isPhone: false, isHidden });
  return (
    <div ref={top}>
      <form ref={form} id="order" />
      <button type="submit" form="order">
        Pay
      </button>
    </div>
  );
}

const orderBelowSearch = (isHidden: boolean) => (
  <>
    <input aria-label="Search" />
    <Activity mode={isHidden ? 'hidden' : 'visible'}>
      <Order isHidden={isHidden} />
    </Activity>
  </>
);

test('an order that is opened while a search hides it leaves the focus in the search when the search is emptied (reliability abuse)', () => {
  const { rerender } = render(orderBelowSearch(true));
  const search = screen.getByLabelText('Search');
  search.focus();
  rerender(orderBelowSearch(false));
  expect(document.activeElement).toBe(search);
});
