import { storage } from '../storage/storage.ts';

const KEY = 'feastday.single-keys';

/** Whether single-key shortcuts work outside of fields; users of speech input can switch them off (WCAG 2.1.4). */
export const areShortcutsOn = (): boolean => storage.read(KEY) !== 'off';

export function setShortcutsOn(isOn: boolean): void {
  if (isOn) storage.remove(KEY);
  else storage.write(KEY, 'off');
}
