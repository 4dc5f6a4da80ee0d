import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

export interface MeterProps {
  /** The accessible name. */
  label: string;
  value: number;
  max: number;
  tone?: 'good' | 'wait';
  className?: string;
}

export function Meter({ label, value, max, tone = 'good', className }: MeterProps): ReactNode {
  const share = max > 0 ? Math.min(100, Math.max(0, (value / max) * 100)) : 0;
  return (
    <div className={clsx('relative h-1.5 overflow-hidden rounded-full bg-sunk forced-colors:border', className)}>
      <progress aria-label={label} value={share} max={100} className="absolute inset-0 opacity-0" />
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

export interface TallyProps extends MeterProps {
  /** Large: `212`. */
  figure: string;
  /** After it: `out of 250 orders placed`. */
  text: string;
  /** Below them; false when there is nothing to add. */
  note?: string | false;
  /** Where the rest can be seen. */
  href?: string;
}

/** One figure of progress in a box of its own. */
export function Tally({ figure, text, note = false, href, ...meter }: TallyProps): ReactNode {
  const content = (
    <>
      <p>
        <span className="figure text-[1.5rem] leading-tight">{figure}</span> <span className="text-s text-ink-soft">{text}</span>
      </p>
      <Meter {...meter} className="mt-2" />
      {note !== false && <p className="mt-2 text-s text-ink-soft">{note}</p>}
    </>
  );
  const box = 'block rounded-card border border-line bg-card px-[18px] py-3.5';
  return href === undefined ? (
    <div className={box}>{content}</div>
  ) : (
    <Link href={href} className={clsx(box, 'hover:border-line-strong')}>
      {content}
    </Link>
  );
}
