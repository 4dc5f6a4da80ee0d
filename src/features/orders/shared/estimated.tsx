import type { ReactNode } from 'react';
import { ESTIMATED } from '../texts.ts';

/** Behind an amount that weighing will change. At a desk it takes its room behind every amount, so that these stay below each other. */
export const Estimated = ({ isShown }: { isShown: boolean }): ReactNode => (
  <span className="font-normal text-ink-soft md:inline-block md:min-w-8 md:ps-1 md:text-start">{isShown && ` ${ESTIMATED}`}</span>
);
