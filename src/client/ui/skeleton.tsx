import clsx from 'clsx';
import type { ReactNode } from 'react';
import { LOADING } from '../texts.ts';

/** One grey bar. Stands only inside a Skeleton. */
export function Bar({ className = 'h-4 w-full' }: { className?: string }): ReactNode {
  return <div className={clsx('animate-shimmer rounded-ctl bg-line', className)} />;
}

/** Takes its room at once and is seen after 300 ms (design §2.7). */
export function Skeleton({ className, children }: { className?: string; children: ReactNode }): ReactNode {
  return (
    <output aria-label={LOADING} className={clsx('skeleton', className ?? 'block')}>
      {children}
    </output>
  );
}

/** The size of a table of `rows` rows. */
export function SkeletonTable({ rows = 6 }: { rows?: number }): ReactNode {
  return (
    <Skeleton className="block overflow-hidden rounded-card border border-line bg-card">
      <div className="h-11 bg-sunk" />
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-[50px] items-center gap-8 border-t border-line px-4">
          <Bar className="h-3.5 w-1/5" />
          <Bar className="h-3.5 w-1/4" />
          <Bar className="ms-auto h-3.5 w-16" />
        </div>
      ))}
    </Skeleton>
  );
}

/** The size of a list of `cards` cards. */
export function SkeletonCards({ cards = 3 }: { cards?: number }): ReactNode {
  return (
    <Skeleton className="grid gap-4">
      {Array.from({ length: cards }, (_, card) => (
        <div key={card} className="grid gap-3 rounded-card border border-line bg-card p-5">
          <Bar className="h-5 w-2/5" />
          <Bar className="h-3.5 w-1/4" />
        </div>
      ))}
    </Skeleton>
  );
}
