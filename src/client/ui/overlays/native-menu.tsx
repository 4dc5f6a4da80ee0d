import { EllipsisVertical } from 'lucide-react';
import { useId, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { isRtl } from '../../is-rtl.ts';
import { IconButton } from '../forms/button.tsx';
import { MENU_CLASS, menuItemClass } from './menu-item.ts';
import type { MenuItem } from './menu-item.ts';

interface NativeMenuProps {
  /** The accessible name of the button, such as `Actions for Passover 2027`. */
  label: string;
  items: readonly MenuItem[];
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** Renders a menu with the browser's popover attribute. Without a menu library, the scripts of the customer's pages stay small. */
export function NativeMenu({ label, items }: NativeMenuProps): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  const place = (): void => {
    if (!button.current || !menu.current) return;
    const { top, bottom, left, right } = button.current.getBoundingClientRect();
    const { style, offsetHeight } = menu.current;
    const fitsBelow = bottom + offsetHeight + 12 < innerHeight;
    style.top = `${fitsBelow ? bottom + 6 : Math.max(12, top - offsetHeight - 6)}px`;
    style.insetInlineEnd = `${isRtl() ? left : document.documentElement.clientWidth - right}px`;
    entries()[0]?.focus();
  };
  const entries = (): HTMLElement[] => [...(menu.current?.querySelectorAll<HTMLElement>('a, button:not(:disabled)') ?? [])];
  const close = (): void => menu.current?.hidePopover();
  const isElsewhere = (target: Element | null): boolean =>
    target !== null && target !== button.current && menu.current?.contains(target) === false;
  const walk = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = entries();
    const here = all.findIndex((entry) => entry === document.activeElement);
    all[(here + step + all.length) % all.length]?.focus();
  };

  return (
    <>
      <IconButton ref={button} label={label} icon={<EllipsisVertical aria-hidden />} popoverTarget={id} />
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the arrow keys only move the focus among its links and buttons */}
      <div
        ref={menu}
        id={id}
        popover="auto"
        onToggle={(event) => event.newState === 'open' && place()}
        onKeyDown={walk}
        // The menu closes when Tab moves the focus out of it, so that the menu does not cover the focused element.
        onBlur={({ relatedTarget }) => isElsewhere(relatedTarget) && close()}
        className={`fixed inset-auto m-0 open:animate-fade ${MENU_CLASS}`}
      >
        {items.map((item) =>
          item.href === undefined ? (
            <button
              key={item.label}
              type="button"
              disabled={item.disabled}
              className={menuItemClass(item)}
              onClick={() => {
                close();
                item.onSelect?.();
              }}
            >
              {item.icon}
              {item.label}
            </button>
          ) : (
            <Link key={item.label} href={item.href} className={menuItemClass(item)} onClick={close}>
              {item.icon}
              {item.label}
            </Link>
          ),
        )}
      </div>
    </>
  );
}
