import clsx from 'clsx';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { backTo } from '../../navigation/go-back.ts';

/** Renders the link at the top of a page that leads back to the previous page. That page then has the same filters as before. */
export function BackLink({ href, label, className }: { href: string; label: string; className?: string }): ReactNode {
  return (
    <Link
      href={href}
      onClick={(event) => {
        event.preventDefault();
        backTo(href);
      }}
      className={clsx('-ms-1 inline-flex min-h-11 items-center gap-1.5 rounded-ctl px-1 text-s text-ink-soft hover:text-ink', className)}
    >
      <ArrowLeft className="size-4 rtl:-scale-x-100" aria-hidden />
      {label}
    </Link>
  );
}
