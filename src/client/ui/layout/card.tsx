import clsx from 'clsx';
import type { ReactNode } from 'react';

interface CardProps {
  title?: ReactNode;
  subtitle?: ReactNode;
  actions?: ReactNode;
  /** True when the content, such as a table, has its own padding. The card then adds none. */
  isFlush?: boolean;
  /**
   * True if the card's heading gets the focus when the focused element is removed from the card, for example with a paid row
   * (`useFocusFallback`).
   */
  keepsFocus?: boolean;
  className?: string;
  children?: ReactNode;
}

export function Card({ title, subtitle, actions, isFlush = false, keepsFocus = false, className, children }: CardProps): ReactNode {
  const hasActions = actions !== undefined && actions !== false;
  const hasHead = title !== undefined || hasActions;
  return (
    <section
      data-keeps-focus={keepsFocus || undefined}
      className={clsx('overflow-hidden rounded-card border border-line bg-card shadow-card print:border-0 print:shadow-none', className)}
    >
      {hasHead && (
        <div
          className={clsx(
            'flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 md:px-5',
            isFlush && 'border-b border-line',
          )}
        >
          <div className="min-w-0">
            {title !== undefined && (keepsFocus ? <h2 tabIndex={-1}>{title}</h2> : <h2>{title}</h2>)}
            {subtitle !== undefined && <p className="mt-1 text-s text-ink-soft">{subtitle}</p>}
          </div>
          {hasActions && <div className="flex w-full flex-wrap gap-2 *:grow md:w-auto md:*:grow-0">{actions}</div>}
        </div>
      )}
      <div className={clsx(!isFlush && 'px-4 pb-5 md:px-5', !isFlush && !hasHead && 'pt-5')}>{children}</div>
    </section>
  );
}
