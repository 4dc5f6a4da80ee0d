import { useLayoutEffect, useRef, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { hasKeyboard } from '../../../client/hooks/use-media.ts';
import { parseUnitKey, unitKey } from '../../../domain/weights/actuals.ts';
import type { CounterStore } from '../device/counter-store.ts';
import type { Step } from '../device/counter-view.ts';

interface UndoOptions {
  readonly store: CounterStore;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly openOrder: number | null;
  readonly text: string;
  readonly onSearchText: (text: string) => void;
  /** Opens the order whose last step was undone, unless another order is open. */
  readonly onReopen: (orderId: number) => void;
}

/**
 * Returns a function that undoes the last step (contract §14). Afterwards, the open order stays open, or the order of the step is opened if
 * none is open. `isFocusLost` says whether the Undo button had the focus.
 */
export function useUndo({ store, search, openOrder, text, onSearchText, onReopen }: UndoOptions): (isFocusLost: boolean) => Promise<void> {
  /** How often a family was opened or closed, or the search was changed. */
  const changes = useRef(0);
  useLayoutEffect(() => {
    changes.current += 1;
  }, [openOrder, text]);
  return async (isFocusLost) => {
    // The family that is open did not make this step. With the focus at its pay button, one press of Enter would pay for the wrong family.
    const isOfOther = openOrder !== null && openOrder !== store.view().lastStep?.orderId;
    const isWeighing = parseUnitKey(document.activeElement?.id ?? '') !== null;
    // If no family is open, staff may type the next name before the family of the step is open.
    if (isOfOther ? !isWeighing : openOrder === null && hasKeyboard()) search.current?.focus();
    flushSync(() => onSearchText(''));
    const before = changes.current;
    const step = await store.undo();
    // Meanwhile, the user may have begun to type the name of the next family, or may even have served it.
    if (!step || changes.current !== before) return;
    // With flushSync, no key can reach the search between this check and the moment at which the order takes the focus.
    if (openOrder === null) flushSync(() => onReopen(step.orderId));
    else if (isFocusLost && step.orderId === openOrder) focusStep(step);
  };
}

/** If the undone step recorded a weight, focuses its field. Otherwise focuses the main button of the order. */
function focusStep({ writes }: Step): void {
  const [unit] = writes.flatMap(({ write }) => ('index' in write ? unitKey(write.orderProductId, write.index) : []));
  const field = unit === undefined ? null : document.getElementById(unit);
  (field ?? document.querySelector<HTMLElement>('main button[type="submit"][form]'))?.focus();
}
