import { storage } from '../storage/storage.ts';

const KEY = 'feastday.single-keys';

/** Whether single-key shortcuts work outside of fields. Users of speech input can switch these shortcuts off (WCAG 2.1.4). */
export const areShortcutsOn = (): boolean => storage.read(KEY) !== 'off';

export const setShortcutsOn = (isOn: boolean): void => storage.write(KEY, isOn ? null : 'off');
