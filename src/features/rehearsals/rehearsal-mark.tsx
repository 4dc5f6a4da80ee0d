import type { ReactNode } from 'react';
import { REHEARSAL } from './texts.ts';

/** This mark is printed on every page and label of a rehearsal. */
export const RehearsalMark = (): ReactNode => <b className="rehearsal-mark">{REHEARSAL}</b>;
