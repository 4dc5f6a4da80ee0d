import type { ReactNode } from 'react';
import { ButtonLink } from '../../client/ui/forms/button.tsx';
import { Card } from '../../client/ui/layout/card.tsx';
import { EmptyState } from '../../client/ui/feedback/empty-state.tsx';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { SkeletonList } from '../../client/ui/feedback/skeleton.tsx';
import { useRead } from '../../client/api/use-calls.ts';
import { shortDate } from '../../shared/dates.ts';
import { listDistributions, type Distribution } from './contract.ts';
import { DistributionBadges } from './distribution-badges.tsx';
import { DISTRIBUTIONS } from './texts.ts';

interface DistributionListProps {
  hrefOf: (id: number) => string;
  openLabel: string;
  actionsOf?: (distribution: Distribution) => ReactNode;
  /** The sentence that the specification requires for an empty list. */
  empty: string;
  /** The create button. It is shown above the list, or below `empty` when there is no distribution. */
  create?: ReactNode;
  /** Text below the create button when there is no distribution. */
  note?: ReactNode;
}

/** Lists the distributions that the viewer may see, newest date first (spec §2). */
export function DistributionList({ hrefOf, openLabel, actionsOf, empty, create, note }: DistributionListProps): ReactNode {
  const list = useRead(listDistributions);
  if (!list.data) return <Pending read={list} waiting={<SkeletonList />} />;
  if (list.data.length === 0) {
    return (
      <Card title={DISTRIBUTIONS}>
        <EmptyState
          text={empty}
          action={
            <>
              {create}
              {note}
            </>
          }
        />
      </Card>
    );
  }
  return (
    <Card title={DISTRIBUTIONS} actions={create} isFlush>
      <ul aria-label={DISTRIBUTIONS}>
        {list.data.map((distribution) => (
          <li
            key={distribution.id}
            className="flex flex-col gap-3 border-b border-line px-4 py-4 last:border-b-0 md:flex-row md:items-center md:gap-6 md:px-5"
          >
            <div className="min-w-0 grow">
              <p className="font-serif text-[1.125rem] leading-snug font-[560]">{distribution.name}</p>
              <p className="mt-0.5 text-s text-ink-soft">{shortDate(distribution.date)}</p>
            </div>
            <DistributionBadges distribution={distribution} />
            <div className="flex gap-2.5 md:ms-2">
              {actionsOf?.(distribution)}
              <ButtonLink href={hrefOf(distribution.id)} className="max-md:grow">
                {openLabel}
              </ButtonLink>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
