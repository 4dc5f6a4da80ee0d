import { useState } from 'react';
import { storage } from '../storage/storage.ts';

/** Whether the user has expanded a table beyond its usual height of 400 px. localStorage keeps this choice for each table label. */
export function useExpanded(label: string): [isExpanded: boolean, setIsExpanded: (next: boolean) => void] {
  const key = `feastday.expanded.${label}`;
  const [isExpanded, setIsExpanded] = useState(() => storage.read(key) !== null);
  const change = (next: boolean): void => {
    setIsExpanded(next);
    if (next) storage.write(key, '1');
    else storage.remove(key);
  };
  return [isExpanded, change];
}
