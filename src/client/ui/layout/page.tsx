import { WifiOff } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useFocusFallback } from '../../focus/use-focus-fallback.ts';
import { useOnline } from '../../hooks/use-online.ts';
import { Brand } from './brand.tsx';
import { ThemeButton } from './theme-button.tsx';
import { OFFLINE, SKIP_TO_CONTENT } from '../../texts.ts';

interface PageProps {
  /** The greeting `Welcome,` with the user's name. The name is a link on the pages where the specification requires one. */
  welcome?: ReactNode;
  logout?: ReactNode;
  /** The sentence in the offline banner. It says what the user can do on this screen without a network. */
  offline?: string;
  /** Replaces the offline banner. It is shown over the header, so that nothing on the page moves. The buttons of the header stay visible. */
  notice?: ReactNode;
  children: ReactNode;
}

let isFirstPage = true;

/** Renders the header, footer and offline banner around every screen of a signed-in user. */
export function Page({ welcome, logout, offline = OFFLINE, notice, children }: PageProps): ReactNode {
  const main = useRef<HTMLElement>(null);
  useFocusFallback();
  // Navigation inside the app removes the followed link, which had the focus, so the content of the new page gets the focus. On the first
  // page, the browser decides what gets the focus.
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
      <header className="no-print relative border-b border-line bg-card">
        <div className="page flex min-h-14 flex-wrap items-center gap-2 md:flex-nowrap md:gap-3">
          <Brand className="me-auto shrink-0" />
          {welcome !== undefined && (
            <span className="order-last -mt-3 block w-full min-w-0 truncate pb-2.5 text-s text-ink-soft md:order-none md:mt-0 md:w-auto md:py-3 [&_a]:-my-3 [&_a]:py-3">
              {welcome}
            </span>
          )}
          {notice}
          <div className="relative -me-4 flex items-center gap-2 md:gap-3">
            <ThemeButton />
            {logout}
          </div>
        </div>
      </header>
      {notice === undefined && <OfflineBanner text={offline} />}
      <main ref={main} id="main" tabIndex={-1} className="page min-h-[calc(100dvh-6rem)] pb-16 outline-none print:min-h-0 print:p-0">
        {children}
      </main>
    </>
  );
}

/**
 * Tells the user that the device is offline. The banner stays at the top of the window when the user scrolls; other sticky elements are
 * below it.
 */
function OfflineBanner({ text }: { text: string }): ReactNode {
  const isOnline = useOnline();
  const line = useRef<HTMLOutputElement>(null);
  useLayoutEffect(() => {
    const measure = (): void =>
      document.documentElement.style.setProperty('--offline-height', `${isOnline ? 0 : (line.current?.offsetHeight ?? 0)}px`);
    measure();
    addEventListener('resize', measure);
    return () => {
      removeEventListener('resize', measure);
      document.documentElement.style.removeProperty('--offline-height');
    };
  }, [isOnline]);
  return (
    <output ref={line} className="no-print sticky top-0 z-20 block bg-wait-soft text-wait">
      {!isOnline && (
        <span className="page flex items-center gap-2 py-2.5 text-s font-semibold">
          <WifiOff className="size-4 shrink-0" aria-hidden />
          {text}
        </span>
      )}
    </output>
  );
}
