import type { ReactNode } from 'react';
import { ESTIMATED } from '../texts.ts';

/**
 * Marks an amount as estimated, because weighing will change it. On desktops every amount reserves space for the mark, so that the amounts
 * align.
 */
export const Estimated = ({ isShown }: { isShown: boolean }): ReactNode => (
  <span className="font-normal text-ink-soft md:inline-block md:min-w-8 md:ps-1 md:text-start">{isShown && ` ${ESTIMATED}`}</span>
);
