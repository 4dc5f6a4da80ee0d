import { Printer } from 'lucide-react';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { sentenceOf } from '../../client/api/fetch.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { EmptyStateIllustration } from '../../client/ui/feedback/empty-state.tsx';
import { ErrorState } from '../../client/ui/feedback/error-state.tsx';
import { Bar } from '../../client/ui/feedback/skeleton.tsx';
import { BackLink } from '../../client/ui/layout/back-link.tsx';
import type { PageHeaderProps } from '../../client/ui/layout/page-header.tsx';
import { usePrintOnce } from '../../client/printing/use-print-once.ts';
import { LOADING, NOT_FOUND, PRINT, WHY_NOT_FOUND } from './texts.ts';

export type BackTarget = NonNullable<PageHeaderProps['back']>;

interface Read<T> {
  readonly data: T | null | undefined;
  readonly error: Error | null;
  readonly isFetchedAfterMount: boolean;
  readonly refetch: () => Promise<unknown>;
}

interface PrintViewProps<T> {
  read: Read<T>;
  back: (data: T | null) => BackTarget;
  /** Returns the title of the page, which browsers propose as the name of the PDF file. */
  title: (data: T) => string;
  /** Whether there is anything to print; by default, yes. */
  hasContent?: (data: T) => boolean;
  actions?: ReactNode;
  children: (data: T) => ReactNode;
}

/**
 * Renders what all print pages have in common (spec §2). It waits for the data. If there is nothing to print, it says so; otherwise it
 * shows the document and opens the browser's print dialog once. It never prints outdated data from the cache.
 */
export function PrintView<T>({ read, back, title, hasContent = () => true, actions, children }: PrintViewProps<T>): ReactNode {
  const data = read.isFetchedAfterMount && !read.error ? read.data : undefined;
  const isPrintable = data !== undefined && data !== null && hasContent(data);
  // True once the document is rendered with its lazily loaded components.
  const [isRendered, setIsRendered] = useState(false);
  usePrintOnce(isPrintable && isRendered);
  return (
    <>
      <div className="paper-bar no-print flex flex-wrap items-center justify-between gap-3 py-4 md:py-6">
        <BackLink {...back(data ?? null)} />
        <div className="flex flex-wrap gap-2.5">
          {actions}
          {isPrintable && isRendered && (
            <Button variant="main" icon={<Printer aria-hidden />} onClick={() => window.print()}>
              {PRINT}
            </Button>
          )}
        </div>
      </div>
      {data !== undefined && data !== null ? (
        <Suspense fallback={<LoadingPaper />}>
          <title>{title(data)}</title>
          {children(data)}
          <Rendered onRendered={setIsRendered} />
        </Suspense>
      ) : (
        <Waiting isMissing={data === null} error={read.error} onRetry={() => void read.refetch()} />
      )}
    </>
  );
}

/** Reports that the document is complete: React mounts this component only when its siblings in the same Suspense boundary are loaded. */
function Rendered({ onRendered }: { onRendered: (isRendered: true) => void }): null {
  useEffect(() => onRendered(true), [onRendered]);
  return null;
}

function Waiting({ isMissing, error, onRetry }: { isMissing: boolean; error: Error | null; onRetry: () => void }): ReactNode {
  if (error)
    return (
      <>
        <h1 className="sr-only">{PRINT}</h1>
        <ErrorState text={sentenceOf(error)} onRetry={onRetry} />
      </>
    );
  if (!isMissing) return <LoadingPaper />;
  return (
    <div className="paper flex flex-wrap items-center gap-x-6 gap-y-4">
      <EmptyStateIllustration of="search" />
      <div>
        <h1>{NOT_FOUND}</h1>
        <p className="mt-1.5 text-ink-soft">{WHY_NOT_FOUND}</p>
      </div>
    </div>
  );
}

function LoadingPaper(): ReactNode {
  return (
    <div className="paper">
      <output className="block text-ink-soft">{LOADING}</output>
      <div className="mt-6 grid skeleton gap-5" aria-hidden>
        <Bar className="mb-4 h-8 w-44" />
        {Array.from({ length: 8 }, (_, row) => (
          <div key={row} className="flex justify-between gap-8">
            <Bar className="h-4 w-1/2" />
            <Bar className="h-4 w-16" />
          </div>
        ))}
      </div>
    </div>
  );
}

/** Returns the id in a URL. If it is not a number, returns 0, which is the id of no record. */
export const idOf = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : 0);
