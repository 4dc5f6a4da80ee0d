import type { ReactNode } from 'react';
import { Card } from '../../client/ui/layout/card.tsx';
import { PRACTICE, WHAT_TO_PRACTICE } from './texts.ts';

/**
 * The distribution-info tab of a rehearsal shows this list instead of the settings, because the name, the date and the publication of a
 * rehearsal cannot be changed.
 */
export const WhatToPractice = (): ReactNode => (
  <Card title={WHAT_TO_PRACTICE}>
    <ol className="grid list-decimal gap-2 ps-5">
      {PRACTICE.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  </Card>
);
