import { useSyncExternalStore } from 'react';

export interface KeyedStore<Key, Value> {
  get: (key: Key) => Value | null;
  /** Sets the value of a key; null deletes the entry. */
  set: (key: Key, value: Value | null) => void;
  use: (key: Key) => Value | null;
}

/** Creates a store outside of React for state that outlives its screen, such as an upload whose dialog was closed. */
export function createKeyedStore<Key, Value>(): KeyedStore<Key, Value> {
  const values = new Map<Key, Value>();
  const listeners = new Set<() => void>();
  const get = (key: Key): Value | null => values.get(key) ?? null;
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set: (key, value) => {
      if (value === null) values.delete(key);
      else values.set(key, value);
      for (const listener of listeners) listener();
    },
    use: (key) => useSyncExternalStore(subscribe, () => get(key)),
  };
}
