import type { ReactNode } from 'react';
import { Pill } from '../../client/ui/feedback/badge.tsx';
import type { Flags } from '../../domain/distribution.ts';
import { ACCEPTING_ACTUALS, DRAFT, ORDERING_CLOSED, PUBLISHED } from './texts.ts';

/** The state of a distribution, as far as it is worth saying. */
export function DistributionPills({ distribution }: { distribution: Flags }): ReactNode {
  return (
    <span className="flex flex-wrap gap-1.5">
      {distribution.published ? <Pill tone="good">{PUBLISHED}</Pill> : <Pill tone="none">{DRAFT}</Pill>}
      {!distribution.orderingOpen && <Pill tone="wait">{ORDERING_CLOSED}</Pill>}
      {distribution.acceptActuals && <Pill tone="good">{ACCEPTING_ACTUALS}</Pill>}
    </span>
  );
}
