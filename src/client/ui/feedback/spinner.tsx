import clsx from 'clsx';
import { LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { LOADING } from '../../texts.ts';

export function Spinner({ className }: { className: string }): ReactNode {
  return <LoaderCircle className={clsx('motion-safe:animate-spin', className)} aria-hidden />;
}

/** Fills the screen while Feastday requests the signed-in user (spec §2). */
export function PageSpinner(): ReactNode {
  return (
    <main className="grid min-h-[60dvh] place-items-center text-accent">
      <output aria-label={LOADING}>
        <Spinner className="size-8" />
      </output>
    </main>
  );
}
