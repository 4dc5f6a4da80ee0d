import type { ReactNode } from 'react';
import { Badge } from '../../client/ui/feedback/badge.tsx';
import type { Flags } from '../../domain/distribution.ts';
import { ACCEPTING_ACTUALS, DRAFT, ORDERING_CLOSED, PUBLISHED } from './texts.ts';

/** The status badges of a distribution. */
export function DistributionBadges({ distribution }: { distribution: Flags }): ReactNode {
  return (
    <span className="flex flex-wrap gap-1.5">
      {distribution.published ? <Badge tone="good">{PUBLISHED}</Badge> : <Badge tone="none">{DRAFT}</Badge>}
      {!distribution.orderingOpen && <Badge tone="wait">{ORDERING_CLOSED}</Badge>}
      {distribution.acceptActuals && <Badge tone="good">{ACCEPTING_ACTUALS}</Badge>}
    </span>
  );
}
