import clsx from 'clsx';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';

interface Choice<T extends string> {
  value: T;
  label: string;
  count?: number | undefined;
}

interface ChoicesProps<T extends string> {
  /** The accessible name of the group. */
  label: string;
  options: readonly Choice<T>[];
  value: T;
  onValue: (value: T) => void;
  className?: string;
}

/** Returns the values with their labels as options. */
export const optionsOf = <T extends string>(values: readonly T[], labels: Readonly<Record<T, string>>): Choice<T>[] =>
  values.map((value) => ({ value, label: labels[value] }));

/** In forced-colors mode the chosen option has the system's selection colors. */
const CHOSEN = 'forced-colors:bg-[Highlight] forced-colors:text-[HighlightText]';

/** Lets the user choose one of several filters of a list, which are shown side by side, such as `All 250` and `Not ordered 38`. */
export function SegmentedControl<T extends string>({ label, options, value, onValue, className }: ChoicesProps<T>): ReactNode {
  return (
    <fieldset
      aria-label={label}
      className={clsx(
        'flex w-full min-w-0 flex-wrap gap-px overflow-hidden rounded-ctl border border-line-strong bg-line md:w-fit md:max-w-full',
        className,
      )}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onValue(option.value)}
          className={clsx(
            'min-h-11 grow px-3.5 text-xs font-semibold focus-visible:-outline-offset-2 dense:min-h-[38px]',
            // On a phone, more than three options are shown in rows of two.
            options.length > 3 && 'basis-2/5 md:basis-auto',
            option.value === value ? `bg-ink text-paper ${CHOSEN}` : 'bg-card text-ink-soft hover:bg-sunk hover:text-ink',
          )}
        >
          {option.label} {option.count !== undefined && <span className="num">{option.count}</span>}
        </button>
      ))}
    </fieldset>
  );
}

export function Chips<T extends string>({ label, options, value, onValue, className }: ChoicesProps<T>): ReactNode {
  const row = useRef<HTMLFieldSetElement>(null);
  // Scrolls the chosen chip into the middle of the row, because the user may have chosen it elsewhere: in a select field or by the URL.
  useEffect(() => {
    const chosen = row.current?.querySelector('[aria-pressed="true"]');
    if (!row.current || !chosen) return;
    const [outer, inner] = [row.current.getBoundingClientRect(), chosen.getBoundingClientRect()];
    row.current.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  }, [value]);
  return (
    <fieldset ref={row} aria-label={label} className={clsx('flex min-w-0 gap-2 overflow-x-auto p-1 [scrollbar-width:none]', className)}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onValue(option.value)}
          className={clsx(
            'h-11 shrink-0 rounded-full border px-4 text-s font-semibold whitespace-nowrap dense:h-8.5 md:px-3 md:text-xs',
            option.value === value
              ? `border-ink bg-ink text-paper ${CHOSEN}`
              : 'border-line-strong bg-card text-ink-soft hover:border-ink-soft hover:text-ink',
          )}
        >
          {option.label}{' '}
          {option.count !== undefined && option.count > 0 && <span className="num ms-0.5 font-bold opacity-90">{option.count}</span>}
        </button>
      ))}
    </fieldset>
  );
}
