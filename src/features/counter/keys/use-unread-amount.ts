import { useEffect, useRef, type RefObject } from 'react';
import { useUnread } from '../../../client/hooks/use-unread.ts';
import type { Cents } from '../../../domain/money.ts';

interface UnreadAmount {
  readonly card: RefObject<HTMLDivElement | null>;
  /**
   * Returns whether the amount had just changed, although staff did not type it, when a key was pressed. The key was then meant for the old
   * amount.
   */
  readonly isUnread: (pressedAt: number) => boolean;
  /** Called after a payment, because the form then contains the amount of the next one. */
  readonly setUnread: () => void;
}

/**
 * Notices when the amount to pay changes automatically, for example because another station has recorded a payment. `isTyped` says whether staff
 * have typed the amount, which then does not follow the balance. Only changes while the focus is in the card count: with the focus in a
 * weight field, staff change the amount themselves, and no key pays.
 */
export function useUnreadAmount(payable: Cents, isTyped: () => boolean): UnreadAmount {
  const card = useRef<HTMLDivElement>(null);
  const before = useRef(payable);
  const { isUnread, setUnread } = useUnread();
  useEffect(() => {
    const isChanged = before.current !== payable && (payable === 0 || !isTyped());
    if (isChanged && card.current?.contains(document.activeElement)) setUnread();
    before.current = payable;
  });
  return { card, isUnread, setUnread };
}
