/** Copies a text field's value. The Clipboard API exists only in secure contexts, and Feastday may be served over plain http. */
export async function copyField(field: HTMLInputElement): Promise<boolean> {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}
