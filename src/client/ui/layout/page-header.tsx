import type { ReactNode } from 'react';
import { pageTitle } from '../../texts.ts';
import { BackLink } from './back-link.tsx';

export interface PageHeaderProps {
  title: ReactNode;
  /** The line below the title, for example with a name, a date and status badges. */
  context?: ReactNode;
  back?: { href: string; label: string };
  /** The buttons of the page: the main action first, then secondary actions. */
  actions?: ReactNode;
}

export function PageHeader({ title, context, back, actions }: PageHeaderProps): ReactNode {
  return (
    <header className="mb-6 pt-5 md:pt-7">
      {typeof title === 'string' && <title>{pageTitle(title)}</title>}
      {back && <BackLink {...back} className="no-print dense:min-h-8" />}
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div className="min-w-0">
          <h1>{title}</h1>
          {context !== undefined && <div className="page-context">{context}</div>}
        </div>
        {actions !== undefined && <div className="no-print flex flex-wrap gap-2.5">{actions}</div>}
      </div>
    </header>
  );
}
