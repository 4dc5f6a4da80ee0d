import { useState } from 'react';
import { UNREAD_VALUE_MS, useUnread } from '../../../client/hooks/use-unread.ts';
import { useSave } from '../../../client/api/use-calls.ts';
import { saveTimeZone } from '../../organization/contract.ts';
import { zoneIsSetText } from '../texts.ts';
import { browserTimeZone } from './local-time.ts';

/**
 * The time zone of a form in which times are typed: the organization's, or the browser's as long as the organization has none. If somebody
 * else sets the organization's time zone while the form is open, the form takes it over, and `note` says so. `isUnread`
 * returns whether the user had not read the note yet when pressing a key or button.
 */
export function useTimeZone(latest: string | null) {
  const [opened, setOpened] = useState(latest);
  const [initialZone] = useState(() => latest ?? browserTimeZone());
  const [timeZone, setTimeZone] = useState(initialZone);
  const [note, setNote] = useState<string | null>(null);
  if (opened === null && latest !== null) {
    setOpened(latest);
    setTimeZone(latest);
    setNote(latest === timeZone ? null : zoneIsSetText(latest));
  }
  const { isUnread } = useUnread(note ?? undefined, UNREAD_VALUE_MS);
  // A refused save reads the time zone that somebody else has set.
  const { save, isSaving } = useSave(saveTimeZone, { refresh: 'always' });
  /** Saves the time zone if it is not the organization's yet. Resolves to false if it could not be saved. */
  const saveZone = async (): Promise<boolean> =>
    timeZone === opened || (await save({ body: { timeZone, before: { timeZone: opened } } })).ok;
  return { initialZone, timeZone, setTimeZone, note, isUnread, saveZone, isSavingZone: isSaving };
}
