import { storage } from '../storage/storage.ts';

const KEY = 'feastday.single-keys';

/** Whether a single key does something outside of a field; who speaks to the computer can switch it off (WCAG 2.1.4). */
export const hasShortcuts = (): boolean => storage.read(KEY) !== 'off';

export function setHasShortcuts(isOn: boolean): void {
  if (isOn) storage.remove(KEY);
  else storage.write(KEY, 'off');
}
