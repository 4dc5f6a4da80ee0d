import { useState } from 'react';
import { changedFields } from '../api/changed-fields.ts';
import { isDataRefused } from '../api/fetch.ts';
import { UNREAD_VALUE_MS, useUnread } from '../hooks/use-unread.ts';

interface PreviousValues<Values> {
  /** The values that the form showed when it was opened. */
  readonly opened: Values;
  /** Returns the changed fields for a save, with their previous values in `before`. */
  readonly withBefore: <Fields extends { readonly [Name in keyof Values]?: unknown }>(
    fields: Fields,
    isChanged: { readonly [Name in keyof Fields]?: boolean | undefined },
  ) => Partial<Fields> & { before: Partial<Values> };
  /** The form calls this function with the error of a failed save. */
  readonly onRefused: (error: Error) => void;
  /** A form that stays open after a save calls this function with the values that it shows then. */
  readonly restart: (shown: Values) => void;
  /** Returns the value that is saved now if the form must show it, because the next save would replace it. */
  readonly savedMeanwhile: <Name extends keyof Values>(name: Name) => Values[Name] | undefined;
  /** Returns whether a key or button was pressed before the user can have read these values. Such a press must not replace them. */
  readonly isUnread: (pressedAt: number) => boolean;
}

/**
 * Remembers the values that a form showed when it was opened. With them, the server refuses to replace what somebody else has saved in the
 * same fields since. After such a refusal, the form shows the values that are saved now, and the next save replaces them. `latest` has the
 * values of the newest read, and a failed save must read them again.
 */
export function usePreviousValues<Values extends object>(latest: Values): PreviousValues<Values> {
  const [opened, setOpened] = useState(latest);
  const [isRefused, setIsRefused] = useState(false);
  const previous = isRefused ? latest : opened;
  const [shown, saved] = [JSON.stringify(opened), JSON.stringify(latest)];
  const { isUnread } = useUnread(isRefused && saved !== shown ? saved : undefined, UNREAD_VALUE_MS);
  return {
    opened,
    withBefore: (fields, isChanged) => ({ ...changedFields(fields, isChanged), before: changedFields<Values>(previous, isChanged) }),
    restart: (shown) => {
      setOpened(shown);
      setIsRefused(false);
    },
    onRefused: (error) => setIsRefused((wasRefused) => wasRefused || isDataRefused(error)),
    isUnread,
    savedMeanwhile: (name) => (isRefused && JSON.stringify(latest[name]) !== JSON.stringify(opened[name]) ? latest[name] : undefined),
  };
}
