import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface ProgressBarProps {
  /** The accessible name. Without a label, assistive technology ignores the bar, because visible text beside it says the same. */
  label?: string;
  value: number;
  max: number;
  tone?: 'good' | 'wait';
  className?: string;
}

export function ProgressBar({ label, value, max, tone = 'good', className }: ProgressBarProps): ReactNode {
  const share = max > 0 ? Math.min(100, Math.max(0, (value / max) * 100)) : 0;
  return (
    <div className={clsx('relative h-1.5 overflow-hidden rounded-full bg-sunk forced-colors:border', className)}>
      {label !== undefined && <progress aria-label={label} value={share} max={100} className="absolute inset-0 opacity-0" />}
      <div
        className={clsx(
          'h-full rounded-full transition-[width] duration-150 forced-colors:bg-[CanvasText]',
          tone === 'good' ? 'bg-good' : 'bg-wait-fill',
        )}
        style={{ width: `${share}%` }}
      />
    </div>
  );
}

interface StatCardProps extends Omit<ProgressBarProps, 'label' | 'className'> {
  /** The large number of the card, such as `212`. */
  figure: string;
  /** The text after the number, such as `out of 250 orders placed`. */
  text: string;
  /** The text below the bar; false for no text. */
  note?: string | false;
  href: string;
}

export function StatCard({ figure, text, note = false, href, ...meter }: StatCardProps): ReactNode {
  return (
    <Link
      href={href}
      className="flex min-w-0 flex-col gap-1.5 rounded-card border border-line bg-card px-2.5 py-2 hover:border-line-strong md:block md:px-[18px] md:py-3.5"
    >
      <p>
        <span className="figure text-[1.0625rem] leading-tight md:text-[1.5rem]">{figure}</span>{' '}
        <span className="block text-xs text-ink-soft md:inline md:text-s">{text}</span>
      </p>
      <ProgressBar {...meter} className="mt-auto md:mt-2" />
      {note !== false && <p className="text-xs text-ink-soft md:text-s">{note}</p>}
    </Link>
  );
}
