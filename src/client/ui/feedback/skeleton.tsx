// Renders gray placeholders that have the shape and approximate size of the content that is loading.
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { LOADING } from '../../texts.ts';

export function Bar({ className }: { className: string }): ReactNode {
  return <div className={clsx('animate-shimmer rounded-ctl bg-line', className)} />;
}

/** Renders placeholders that take up their space immediately and become visible after 300 ms. */
export function Skeleton({ className, children }: { className: string; children: ReactNode }): ReactNode {
  return (
    <output aria-label={LOADING} className={clsx('skeleton', className)}>
      {children}
    </output>
  );
}

const CARD = 'overflow-hidden rounded-card border border-line bg-card';
const times = (count: number, draw: (index: number) => ReactNode): ReactNode => Array.from({ length: count }, (_, index) => draw(index));

export const SkeletonHeader = (): ReactNode => (
  <Skeleton className="mb-6 grid gap-3.5 pt-7 md:pt-9">
    <Bar className="h-4 w-36" />
    <Bar className="h-8 w-60" />
    <Bar className="h-4 w-48" />
  </Skeleton>
);

export const SkeletonTabs = (): ReactNode => (
  <Skeleton className="mb-6 flex gap-7 overflow-hidden border-b border-line py-3.5">
    {times(6, (tab) => (
      <Bar key={tab} className="h-4 w-16 shrink-0" />
    ))}
  </Skeleton>
);

export const SkeletonStatCards = (): ReactNode => (
  <Skeleton className="mb-3 grid grid-cols-3 gap-2 md:mb-5 md:gap-4">
    {times(3, (box) => (
      <div key={box} className={clsx(CARD, 'grid h-[6.25rem] content-between p-2.5 md:h-[4.75rem] md:px-[18px] md:py-3.5')}>
        <Bar className="h-5 w-3/5" />
        <Bar className="h-1.5 w-full" />
      </div>
    ))}
  </Skeleton>
);

const Head = (): ReactNode => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-line px-4 py-4 md:px-5">
    <Bar className="mt-1 mb-7 h-5 w-36" />
    <Bar className="h-11 w-full dense:h-10 md:w-40" />
  </div>
);

interface SkeletonTableProps {
  rows?: number;
  /** True when the card has a title and a button. Both get placeholders too. */
  hasHead?: boolean;
  /** True when the placeholder is already inside a card. The skeleton then renders no card of its own. */
  isBare?: boolean;
}

export function SkeletonTable({ rows = 6, hasHead = false, isBare = false }: SkeletonTableProps): ReactNode {
  return (
    <Skeleton className={clsx('block', !isBare && CARD)}>
      {hasHead && <Head />}
      <div className="h-11 bg-sunk max-md:hidden" />
      {times(rows, (row) => (
        <div
          key={row}
          className="border-b border-line px-4 py-4 last:border-b-0 max-md:grid max-md:gap-3 md:flex md:h-[50px] md:items-center md:gap-8 md:px-5 md:py-0"
        >
          <Bar className="h-4 w-2/5 md:h-3.5 md:w-1/5" />
          <Bar className="h-3.5 w-4/5 md:w-1/4" />
          <Bar className="h-3.5 w-full md:ms-auto md:w-16" />
          <Bar className="h-3.5 w-3/5 md:hidden" />
        </div>
      ))}
    </Skeleton>
  );
}

export function SkeletonList({ rows = 3 }: { rows?: number }): ReactNode {
  return (
    <Skeleton className={clsx('block', CARD)}>
      <Head />
      {times(rows, (row) => (
        <div key={row} className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-4 last:border-b-0 md:px-5">
          <div className="grid gap-2.5 max-md:w-full md:w-2/5">
            <Bar className="h-4.5 w-3/5" />
            <Bar className="h-3.5 w-2/5" />
          </div>
          <Bar className="h-11 w-full dense:h-10 md:w-36" />
        </div>
      ))}
    </Skeleton>
  );
}

export const SkeletonCards = (): ReactNode => (
  <Skeleton className="grid gap-4">
    {times(3, (card) => (
      <div key={card} className={clsx(CARD, 'grid gap-3 p-5')}>
        <Bar className="h-5 w-2/5" />
        <Bar className="h-3.5 w-1/4" />
        <Bar className="mt-2 h-11 w-full dense:h-10 md:w-56 md:justify-self-end" />
      </div>
    ))}
  </Skeleton>
);

export function SkeletonForm({ fields, isCard = false }: { fields: number; isCard?: boolean }): ReactNode {
  return (
    <Skeleton className={clsx('grid gap-5', isCard && [CARD, 'p-4 md:p-5'])}>
      {isCard && <Bar className="h-5 w-40" />}
      {times(fields, (field) => (
        <div key={field} className="grid gap-2">
          <Bar className="h-3.5 w-28" />
          <Bar className="h-11 w-full dense:h-10" />
        </div>
      ))}
      {isCard && <Bar className="h-11 w-28 dense:h-10" />}
    </Skeleton>
  );
}
