import type { ReactNode } from 'react';
import { Brand } from './brand.tsx';
import { ThemeButton } from './theme-button.tsx';

export interface TopBarProps {
  /** The greeting `Welcome,` with the user's name. The name is a link on the pages where the specification requires one. */
  welcome?: ReactNode;
  logout?: ReactNode;
}

export function TopBar({ welcome, logout }: TopBarProps): ReactNode {
  return (
    <header className="no-print border-b border-line bg-card">
      <div className="page flex min-h-14 flex-wrap items-center gap-2 md:flex-nowrap md:gap-3">
        <Brand className="me-auto shrink-0" />
        {welcome !== undefined && (
          <span className="order-last -mt-3 block w-full min-w-0 truncate pb-2.5 text-s text-ink-soft md:order-none md:mt-0 md:w-auto md:py-3 [&_a]:-my-3 [&_a]:py-3">
            {welcome}
          </span>
        )}
        <ThemeButton />
        {logout !== undefined && <div className="-me-4">{logout}</div>}
      </div>
    </header>
  );
}
