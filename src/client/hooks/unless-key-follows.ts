/** If less than this many milliseconds pass between two keys, both may belong to the same code or name. */
export const KEY_MS = 300;

/**
 * Calls `act` unless another key follows soon: the key before may have been the beginning of a scanned code, or of a name. If `continues`
 * returns false for the next key, the key before was meant alone: `act` is then called before the next key is handled.
 */
export function unlessKeyFollows(act: () => void, continues: (next: KeyboardEvent) => boolean = () => true): void {
  const end = (isMeant: boolean): void => {
    clearTimeout(timer);
    document.removeEventListener('keydown', decide, { capture: true });
    if (isMeant) act();
  };
  const decide = (next: KeyboardEvent): void => end(!continues(next));
  const timer = setTimeout(() => end(true), KEY_MS);
  // Another listener may stop the next key on its way to the focused element.
  document.addEventListener('keydown', decide, { capture: true });
}
