import clsx from 'clsx';
import { Search, X } from 'lucide-react';
import type { ReactNode } from 'react';

export interface SearchFieldProps {
  /** The accessible name, shown while empty unless `placeholder` says something else. */
  label: string;
  placeholder?: string;
  value: string;
  onValue: (value: string) => void;
  className?: string;
}

export function SearchField({ label, placeholder = label, value, onValue, className }: SearchFieldProps): ReactNode {
  return (
    <div className={clsx('relative', className)}>
      <Search className="pointer-events-none absolute top-1/2 left-3.5 size-[1.125rem] -translate-y-1/2 text-ink-soft" aria-hidden />
      <input
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && value !== '' && onValue('')}
        className="control px-10.5"
      />
      {value !== '' && (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => onValue('')}
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-ctl text-ink-soft hover:text-ink"
        >
          <X className="size-4" aria-hidden />
        </button>
      )}
    </div>
  );
}
