import clsx from 'clsx';
import type { ReactNode } from 'react';
import { API_HOST } from '../../api/fetch.ts';
import { SOURCE_CODE, versionText } from '../../texts.ts';

const VERSION: string = import.meta.env?.['VITE_VERSION'] ?? '';

/** Renders the version and a link to the source code. Section 13 of the AGPL requires this link for users over a network. */
export function SourceLine({ className }: { className?: string }): ReactNode {
  return (
    // The offset of 100dvh keeps the line at the bottom of the page even while little content is loaded, so that the line does not move
    // when the content appears.
    <footer className={clsx('no-print sticky top-[100dvh] flex flex-wrap items-center gap-x-4 text-xs text-ink-soft', className)}>
      <span>{versionText(VERSION)}</span>
      <a
        href={`${API_HOST}/source`}
        className="inline-flex min-h-11 items-center underline underline-offset-3 hover:text-ink dense:min-h-8"
      >
        {SOURCE_CODE}
      </a>
    </footer>
  );
}
