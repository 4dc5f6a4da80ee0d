import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { focusLastFollowedLink, lastFollowedLink, rememberFollowedLink } from '../../navigation/focus-memory.ts';

export function RowActions({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className="no-print flex flex-wrap items-center gap-x-4 gap-y-1 md:flex-nowrap md:justify-end md:in-[.table-fixed]:flex-wrap">
      {children}
    </div>
  );
}

interface RowLinkProps {
  href: string;
  /** The accessible name, which contains the row's name, such as `Edit the order of Abramov, Rivka`. */
  label: string;
  /** The key of the row. When the user returns with Back, the link of this row gets the focus again. */
  row: number;
  children: ReactNode;
}

export function RowLink({ href, label, row, children }: RowLinkProps): ReactNode {
  return (
    <Link
      ref={(link: HTMLAnchorElement | null) => {
        if (link !== null && lastFollowedLink()?.href === href) focusLastFollowedLink(link);
      }}
      onClick={() => rememberFollowedLink({ row, href })}
      href={href}
      aria-label={label}
      className="link inline-flex min-h-11 min-w-11 items-center dense:min-h-8 dense:min-w-6"
    >
      {children}
    </Link>
  );
}
