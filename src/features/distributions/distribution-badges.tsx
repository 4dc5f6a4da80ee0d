import type { ReactNode } from 'react';
import { Badge } from '../../client/ui/feedback/badge.tsx';
import { opensLater, type Clock, type Flags } from '../../domain/distribution.ts';
import { zonedTime } from '../../shared/zoned-time.ts';
import { useOrderingTime } from './ordering-times/use-ordering-time.ts';
import { REHEARSAL } from '../rehearsals/texts.ts';
import { ACCEPTING_ACTUALS, closesText, DRAFT, opensText, ORDERING_CLOSED, PUBLISHED } from './texts.ts';

type BadgeTerms = Flags & Clock & { readonly timeZone: string | null; readonly rehearsal: boolean };

export function DistributionBadges({ distribution }: { distribution: BadgeTerms }): ReactNode {
  const { orderingOpen, opensAt, closesAt, timeZone } = distribution;
  const now = useOrderingTime([distribution]);
  const isLater = opensLater(distribution, now);
  return (
    <span className="flex flex-wrap gap-1.5">
      {distribution.rehearsal ? (
        <Badge tone="wait">{REHEARSAL}</Badge>
      ) : (
        <>
          {distribution.published ? <Badge tone="good">{PUBLISHED}</Badge> : <Badge tone="none">{DRAFT}</Badge>}
          {orderingOpen && isLater && opensAt && <Badge tone="none">{opensText(zonedTime(opensAt, timeZone))}</Badge>}
          {orderingOpen && closesAt && <Badge tone="none">{closesText(zonedTime(closesAt, timeZone))}</Badge>}
          {!orderingOpen && <Badge tone="wait">{ORDERING_CLOSED}</Badge>}
          {distribution.acceptActuals && <Badge tone="good">{ACCEPTING_ACTUALS}</Badge>}
        </>
      )}
    </span>
  );
}
