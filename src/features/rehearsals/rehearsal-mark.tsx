import type { ReactNode } from 'react';
import { REHEARSAL } from './texts.ts';

/** This mark is printed on the orders, price sheets, pick-up sheets and labels of a rehearsal. */
export const RehearsalMark = (): ReactNode => <b className="rehearsal-mark">{REHEARSAL}</b>;
