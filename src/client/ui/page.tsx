import { WifiOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useKeptFocus } from '../use-kept-focus.ts';
import { useOnline } from '../use-online.ts';
import { TopBar } from './top-bar.tsx';
import type { TopBarProps } from './top-bar.tsx';
import { OFFLINE, SKIP_TO_CONTENT } from '../texts.ts';

export interface PageProps extends TopBarProps {
  children: ReactNode;
}

/** The frame of every signed-in screen. */
let isFirstPage = true;

export function Page({ welcome, logout, children }: PageProps): ReactNode {
  const main = useRef<HTMLElement>(null);
  useKeptFocus();
  // A way inside the app leaves the focus on what is gone; the first page keeps the browser's own.
  useEffect(() => {
    if (!isFirstPage && (document.activeElement === null || document.activeElement === document.body))
      main.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, []);
  return (
    <>
      <a
        href="#main"
        className="no-print sr-only rounded-ctl bg-ink px-4 py-3 text-paper focus:not-sr-only focus:absolute focus:top-2 focus:start-2 focus:z-50"
      >
        {SKIP_TO_CONTENT}
      </a>
      <OfflineBanner />
      <TopBar welcome={welcome} logout={logout} />
      <main ref={main} id="main" tabIndex={-1} className="page min-h-[calc(100dvh-6rem)] pb-16 outline-none print:min-h-0 print:p-0">
        {children}
      </main>
    </>
  );
}

function OfflineBanner(): ReactNode {
  const isOnline = useOnline();
  return (
    <output className="no-print block">
      {!isOnline && (
        <span className="page flex items-center gap-2 bg-wait-soft py-2.5 text-s font-semibold text-wait">
          <WifiOff className="size-4 shrink-0" aria-hidden />
          {OFFLINE}
        </span>
      )}
    </output>
  );
}
