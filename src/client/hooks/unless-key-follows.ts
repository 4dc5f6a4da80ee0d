/** If less than this many milliseconds pass between two keys, both may belong to the same code or name. */
export const KEY_MS = 300;

/** Calls `act` unless another key is pressed soon: the key before may have been the beginning of a scanned code, or of a name. */
export function unlessKeyFollows(act: () => void): void {
  const timer = setTimeout(act, KEY_MS);
  // Another listener may stop the next key on its way to the focused element.
  document.addEventListener('keydown', () => clearTimeout(timer), { capture: true, once: true });
}
