import { useState } from 'react';
import { storage } from '../storage/storage.ts';

/** Whether a table is higher than the usual 400 px. The browser stores this choice by the table's label. */
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
