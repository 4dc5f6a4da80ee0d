import clsx from 'clsx';
import { Search, X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { CLEAR_SEARCH } from '../../texts.ts';
import { useSearchShortcut } from '../../focus/use-search-shortcut.ts';

interface SearchFieldProps {
  /** The accessible name. It is also the placeholder unless `placeholder` is given. */
  label: string;
  placeholder?: string;
  value: string;
  onValue: (value: string) => void;
  onEnter?: () => void;
  className?: string;
  fieldRef?: RefObject<HTMLInputElement | null>;
  /** If given, the field is a combobox for the list of matches below it. `chosen` is the id of the chosen match. */
  list?: { id: string; isOpen: boolean; chosen: string | undefined };
}

const GLASS = (
  <Search className="pointer-events-none absolute top-1/2 start-3.5 size-[1.125rem] -translate-y-1/2 text-ink-soft" aria-hidden />
);

export function SearchField({
  label,
  placeholder = label,
  value,
  onValue,
  onEnter,
  className,
  fieldRef,
  list,
}: SearchFieldProps): ReactNode {
  const field = useSearchShortcut(fieldRef);
  return (
    <div className={clsx('relative', className)}>
      {GLASS}
      <input
        ref={field}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        aria-label={label}
        aria-keyshortcuts="/"
        {...(list && {
          role: 'combobox',
          'aria-autocomplete': 'list',
          'aria-expanded': list.isOpen,
          'aria-controls': list.id,
          'aria-activedescendant': list.isOpen ? list.chosen : undefined,
        })}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '') onValue('');
          if (event.key === 'Enter' && !event.repeat && !event.nativeEvent.isComposing) onEnter?.();
        }}
        className="control px-10.5"
      />
      {value !== '' && (
        <button
          type="button"
          aria-label={CLEAR_SEARCH}
          onClick={() => {
            onValue('');
            field.current?.focus();
          }}
          className="absolute inset-y-0 end-0 grid w-11 place-items-center rounded-ctl text-ink-soft hover:text-ink"
        >
          <X className="size-4" aria-hidden />
        </button>
      )}
    </div>
  );
}
