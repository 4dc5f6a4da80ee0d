import clsx from 'clsx';
import type { ReactNode } from 'react';

export interface Choice<T extends string> {
  value: T;
  label: string;
  count?: number | undefined;
}

export interface ChoicesProps<T extends string> {
  /** The accessible name of the group. */
  label: string;
  options: readonly Choice<T>[];
  value: T;
  onValue: (value: T) => void;
  className?: string;
}

/** Fixed views of a list, side by side: `All 250`, `Not ordered 38`. */
export function Segments<T extends string>({ label, options, value, onValue, className }: ChoicesProps<T>): ReactNode {
  return (
    <fieldset
      aria-label={label}
      className={clsx('flex w-fit max-w-full min-w-0 overflow-x-auto rounded-ctl border border-line-strong bg-card fades', className)}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onValue(option.value)}
          className={clsx(
            'min-h-11 shrink-0 border-l border-line px-3.5 text-xs font-semibold first:border-l-0 focus-visible:-outline-offset-2 md:min-h-[38px]',
            option.value === value ? 'bg-ink text-paper' : 'text-ink-soft hover:bg-sunk hover:text-ink',
          )}
        >
          {option.label} {option.count !== undefined && <span className="num">{option.count}</span>}
        </button>
      ))}
    </fieldset>
  );
}

/** One row of chips that scrolls sideways under a thumb: categories, `My items`. */
export function Chips<T extends string>({ label, options, value, onValue, className }: ChoicesProps<T>): ReactNode {
  return (
    <fieldset aria-label={label} className={clsx('flex min-w-0 gap-2 overflow-x-auto p-1 [scrollbar-width:none]', className)}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={(event) => {
            onValue(option.value);
            event.currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' });
          }}
          className={clsx(
            'h-11 shrink-0 rounded-full border px-4 text-s font-semibold whitespace-nowrap md:h-8.5 md:px-3 md:text-xs',
            option.value === value
              ? 'border-ink bg-ink text-paper'
              : 'border-line-strong bg-card text-ink-soft hover:border-ink-soft hover:text-ink',
          )}
        >
          {option.label}{' '}
          {option.count !== undefined && option.count > 0 && <span className="num ml-0.5 font-bold opacity-90">{option.count}</span>}
        </button>
      ))}
    </fieldset>
  );
}
