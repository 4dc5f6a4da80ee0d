import type { ReactNode } from 'react';
import { REHEARSAL } from './texts.ts';

/** On every paper and label of a rehearsal. */
export const RehearsalMark = (): ReactNode => <b className="rehearsal-mark">{REHEARSAL}</b>;
