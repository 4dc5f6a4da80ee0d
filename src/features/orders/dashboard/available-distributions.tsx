import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Card } from '../../../client/ui/layout/card.tsx';
import { Badge } from '../../../client/ui/feedback/badge.tsx';
import { opensLater } from '../../../domain/distribution.ts';
import { OrderingTimes } from '../../distributions/ordering-times/ordering-times.tsx';
import { NOT_OPEN_YET } from '../../../domain/texts.ts';
import { shortDate } from '../../../shared/dates.ts';
import type { Distribution } from '../../distributions/contract.ts';
import { DOWNLOAD_PRICESHEET } from '../../print/texts.ts';
import { ActionLink, type Action } from './distribution-actions.tsx';
import { AVAILABLE_TITLE, CLOSED, NO_OTHER_AVAILABLE, ORDER_NOW, ORDERING_CLOSED } from '../texts.ts';

const blockedBy = (distribution: Distribution, now: string): NonNullable<Action['blocked']> | null => {
  if (!distribution.orderingOpen) return ORDERING_CLOSED;
  return opensLater(distribution, now) ? { title: NOT_OPEN_YET } : null;
};

const actionsOf = (distribution: Distribution, now: string): Action[] => [
  { label: DOWNLOAD_PRICESHEET, href: `/customer/print-pricesheet/${distribution.id}` },
  {
    label: ORDER_NOW,
    href: `/customer/order/${distribution.id}`,
    isMain: true,
    blocked: blockedBy(distribution, now),
  },
];

/** Lists the published distributions in which the customer has no order yet (spec §2). */
export function AvailableDistributions({ distributions, now }: { distributions: readonly Distribution[]; now: string }): ReactNode {
  return (
    <section aria-labelledby="available">
      <h2 id="available" className="mb-3">
        {AVAILABLE_TITLE}
      </h2>
      {distributions.length === 0 && <p className="text-ink-soft">{NO_OTHER_AVAILABLE}</p>}
      <ul className={clsx('grid grid-cols-[minmax(0,1fr)] gap-4', distributions.length > 1 && 'lg:grid-cols-[repeat(2,minmax(0,1fr))]')}>
        {distributions.map((distribution) => (
          <li key={distribution.id}>
            <Card className="h-full">
              <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
                <div className="min-w-0">
                  <h3 id={`available-${distribution.id}`} className="figure text-l leading-tight">
                    {distribution.name}
                  </h3>
                  <p className="mt-1 flex flex-wrap items-center gap-2 text-s text-ink-soft">
                    {shortDate(distribution.date)}
                    {!distribution.orderingOpen && <Badge tone="wait">{CLOSED}</Badge>}
                    <OrderingTimes distribution={distribution} now={now} />
                  </p>
                </div>
                <div className="flex flex-wrap gap-2.5 max-md:w-full max-md:*:grow">
                  {actionsOf(distribution, now).map((action) => (
                    <ActionLink key={action.label} action={action} of={`available-${distribution.id}`} />
                  ))}
                </div>
              </div>
            </Card>
          </li>
        ))}
      </ul>
    </section>
  );
}
