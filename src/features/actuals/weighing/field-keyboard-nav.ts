// Moves the focus between the weight fields, so that staff can weigh many units without a mouse.
import { flushSync } from 'react-dom';

const fieldsOf = (field: HTMLInputElement): HTMLInputElement[] => [
  ...(field.form?.querySelectorAll<HTMLInputElement>('input[inputmode="decimal"]') ?? []),
];

/** Returns the fields of the form into which the user can type a weight. */
export const openFieldsOf = (form: HTMLFormElement | null): HTMLInputElement[] => [
  ...(form?.querySelectorAll<HTMLInputElement>('input:not(:read-only)') ?? []),
];
/** Whether the field asks about the weight that it contains. */
export const asksAboutWeight = (field: HTMLInputElement): boolean => field.dataset['asks'] !== undefined;

/**
 * Leaves a weight field for a moment, so that its weight is checked, and recorded at the counter. Returns false if the field then asks about
 * its weight, or contains no weight.
 */
export function leaveField(field: HTMLInputElement): boolean {
  flushSync(() => field.blur());
  field.focus();
  return !asksAboutWeight(field);
}

export const isEmpty = (field: HTMLInputElement): boolean => field.value.trim() === '';

function focus(element: HTMLElement | null | undefined): boolean {
  element?.focus();
  return element !== null && element !== undefined;
}

export function focusFieldBy(field: HTMLInputElement, step: 1 | -1): boolean {
  const fields = fieldsOf(field);
  return focus(fields[fields.indexOf(field) + step]);
}

export function focusEmptyFieldBelow(field: HTMLInputElement): boolean {
  const fields = fieldsOf(field);
  return focus(fields.slice(fields.indexOf(field) + 1).find(isEmpty));
}

/** Focuses the next empty field; after the last field, the search continues at the top. When no field is empty, focuses the save button. */
export function focusNextEmptyField(field: HTMLInputElement): void {
  if (focusEmptyFieldBelow(field)) return;
  const above = fieldsOf(field).find((other) => other !== field && isEmpty(other));
  // `elements` also contains buttons outside of the form that refer to the form by their `form` attribute.
  const buttons = [...(field.form?.elements ?? [])].filter((element) => element instanceof HTMLButtonElement);
  focus(above ?? buttons.find(({ type }) => type === 'submit'));
}
