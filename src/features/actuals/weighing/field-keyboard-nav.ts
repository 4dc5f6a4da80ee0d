// Moves the focus among the weight fields, so that forty units are weighed without a mouse (design §2.3).

const fieldsOf = (field: HTMLInputElement): HTMLInputElement[] => [
  ...(field.form?.querySelectorAll<HTMLInputElement>('input[inputmode="decimal"]') ?? []),
];

function focus(element: HTMLElement | null | undefined): boolean {
  element?.focus();
  return element !== null && element !== undefined;
}

const isEmpty = (field: HTMLInputElement): boolean => field.value.trim() === '';

export function focusFieldBy(field: HTMLInputElement, step: 1 | -1): boolean {
  const fields = fieldsOf(field);
  return focus(fields[fields.indexOf(field) + step]);
}

/** Focuses the next empty field below; false when there is none. */
export function focusEmptyFieldBelow(field: HTMLInputElement): boolean {
  const fields = fieldsOf(field);
  return focus(fields.slice(fields.indexOf(field) + 1).find(isEmpty));
}

/** Focuses the next empty field, continuing at the top after the last; the save button when none is left. */
export function focusNextEmptyField(field: HTMLInputElement): void {
  if (focusEmptyFieldBelow(field)) return;
  const above = fieldsOf(field).find((other) => other !== field && isEmpty(other));
  // Also finds a button outside of the form that refers to it by its `form` attribute.
  const buttons = [...(field.form?.elements ?? [])].filter((element) => element instanceof HTMLButtonElement);
  focus(above ?? buttons.find(({ type }) => type === 'submit'));
}
