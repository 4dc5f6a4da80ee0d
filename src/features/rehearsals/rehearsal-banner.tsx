import { Drama } from 'lucide-react';
import type { ReactNode } from 'react';
import { NOT_REAL, REHEARSAL } from './texts.ts';

/**
 * This banner is shown below the header of every screen of a rehearsal. It keeps staff from mistaking the rehearsal for the real
 * distribution.
 */
export function RehearsalBanner({ children }: { children?: ReactNode }): ReactNode {
  return (
    <aside
      aria-label={REHEARSAL}
      className="-mt-2 mb-6 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border-2 border-dashed border-wait bg-wait-soft px-4 py-2.5 text-s text-wait"
    >
      <Drama className="size-5 shrink-0" aria-hidden />
      <p className="min-w-0 grow basis-48">
        <b className="font-semibold">{REHEARSAL}.</b> {NOT_REAL}
      </p>
      {children}
    </aside>
  );
}
