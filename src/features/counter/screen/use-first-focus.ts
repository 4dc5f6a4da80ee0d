import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { isEmpty, openFieldsOf } from '../../actuals/weighing/field-keyboard-nav.ts';

interface OpenedOrder {
  readonly top: RefObject<HTMLElement | null>;
  readonly form: RefObject<HTMLFormElement | null>;
  readonly formId: string;
  readonly isPhone: boolean;
  readonly isHidden: boolean;
}

/**
 * Gives the focus to a field of an order that was just opened: to the first empty weight field, or to the main button if no field is empty.
 * On a phone, a focused field opens the on-screen keyboard, which hides half of the order. There, a weight field gets the focus only if the
 * keyboard is open already because the user has typed a name into the search; otherwise the form gets the focus.
 */
export function useFirstFocus({ top, form, formId, isPhone, isHidden }: OpenedOrder): void {
  const begin = useEffectEvent(() => {
    const fields = openFieldsOf(form.current);
    const empty = fields.find(isEmpty);
    const isKeyboardOpen = document.activeElement instanceof HTMLInputElement;
    // Only an empty field gets the focus. A field with a question does not, because one press of Enter too many would answer the question.
    const isQuestionShown = fields.some((field) => field.hasAttribute('aria-describedby'));
    if (isPhone || !empty || isQuestionShown) top.current?.scrollIntoView();
    if (isPhone && !(empty && isKeyboardOpen)) form.current?.focus({ preventScroll: true });
    else if (empty) empty.focus();
    else document.querySelector<HTMLElement>(`button[type="submit"][form="${formId}"]`)?.focus({ preventScroll: true });
  });
  // The effect also runs when the order is no longer hidden by a search, even if the order was opened while it was hidden. If the user has
  // only emptied the search, the focus stays there.
  const isOpening = useRef(!isHidden);
  useEffect(() => {
    if (isOpening.current || !(document.activeElement instanceof HTMLInputElement)) begin();
    isOpening.current = false;
  }, []);
}
