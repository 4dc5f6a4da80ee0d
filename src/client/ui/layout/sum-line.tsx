import clsx from 'clsx';
import type { ReactNode } from 'react';

interface SumLineProps {
  label: ReactNode;
  isTotal?: boolean;
  /** Renders the amount large. */
  isLarge?: boolean;
  className?: string;
  /** The amount. */
  children: ReactNode;
}

/** One line of a list of sums, inside a `<dl>`. */
export function SumLine({ label, isTotal = false, isLarge = false, className, children }: SumLineProps): ReactNode {
  return (
    <div className={clsx('flex items-baseline justify-between gap-4', className)}>
      <dt className={clsx('min-w-0', isTotal ? 'font-semibold' : 'text-ink-soft')}>{label}</dt>
      <dd className={isLarge ? 'figure text-[1.5rem]' : clsx('num', isTotal && 'font-semibold')}>{children}</dd>
    </div>
  );
}
