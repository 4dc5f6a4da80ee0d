import clsx from 'clsx';
import type { ReactNode } from 'react';

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  href?: string;
  onSelect?: () => void;
  isDanger?: boolean;
  disabled?: boolean;
}

export const MENU_CLASS = 'min-w-52 text-start whitespace-normal rounded-card border border-line bg-card p-1.5 text-ink shadow-float';

export const menuItemClass = (item: MenuItem): string =>
  clsx(
    'flex min-h-11 w-full items-center gap-2.5 rounded-ctl px-3 text-start text-s font-semibold dense:min-h-9 [&_svg]:size-[1.125rem] [&_svg]:shrink-0',
    'hover:bg-sunk focus:bg-sunk focus-visible:-outline-offset-2 disabled:opacity-50 data-disabled:opacity-50',
    item.isDanger === true ? 'text-bad' : 'text-ink',
  );
