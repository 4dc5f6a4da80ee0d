import { hasKeyboard } from '../hooks/use-media.ts';

/** Returns the first field in the element, or null on a device whose on-screen keyboard would cover half of the screen. */
export const firstFieldIn = (element: Element): HTMLElement | null =>
  hasKeyboard() ? element.querySelector<HTMLElement>('input:not(:disabled), select, textarea') : null;
