import type { ReactNode } from 'react';

export type Illustration = 'box' | 'people' | 'list' | 'scale' | 'coins' | 'search';

const DRAWINGS: Record<Illustration, ReactNode> = {
  box: (
    <>
      <path d="M12 26 32 17l20 9v20l-20 9-20-9z" />
      <path d="m12 26 20 9 20-9M32 35v20" />
      <path d="m22 21.5 20 9" className="text-accent" />
      <path d="M32 11V6M22 13l-3-4M42 13l3-4" className="text-accent" />
    </>
  ),
  people: (
    <>
      <circle cx="24" cy="22" r="8" />
      <path d="M9 50c0-9 6.5-15 15-15s15 6 15 15" />
      <path d="M41 15.500a8 8 0 0 1 0 14M46 36.500c5.5 2 9 7 9 13.5" className="text-accent" />
    </>
  ),
  list: (
    <>
      <rect x="15" y="9" width="34" height="46" rx="5" />
      <path d="M24 22h10M24 33h10M24 44h10" />
      <path d="m38.5 21 2.5 2.5 4-5M38.5 32l2.5 2.5 4-5" className="text-accent" />
    </>
  ),
  scale: (
    <>
      <path d="M14 55h36l-3.5-23h-29z" />
      <path d="M23 32a9 9 0 0 1 18 0" />
      <path d="M13 13h38l-7 9H20z" />
      <path d="m32 44 5-5" className="text-accent" />
      <circle cx="32" cy="44" r="1.5" className="text-accent" />
    </>
  ),
  coins: (
    <>
      <path d="M16 8h32v48l-5.3-4-5.4 4-5.3-4-5.3 4-5.4-4-5.3 4z" />
      <path d="M24 20h16M24 29h16" />
      <path d="M24 38h8" className="text-accent" />
    </>
  ),
  search: (
    <>
      <circle cx="28" cy="28" r="16" />
      <path d="m40 40 14 14" />
      <path d="M22 28h12" className="text-accent" />
    </>
  ),
};

interface EmptyStateProps {
  picture?: Illustration;
  /** A sentence that says why nothing is shown. */
  text: ReactNode;
  action?: ReactNode;
}

export function EmptyStateIllustration({ of, className = 'size-16' }: { of: Illustration; className?: string }): ReactNode {
  return (
    <svg
      viewBox="0 0 64 64"
      className={`fill-none stroke-current text-line-strong ${className}`}
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {DRAWINGS[of]}
    </svg>
  );
}

export function EmptyState({ picture = 'box', text, action }: EmptyStateProps): ReactNode {
  return (
    <div className="flex items-center gap-5 px-4 py-8 md:gap-6 md:px-5 md:py-10">
      <EmptyStateIllustration of={picture} className="size-14 shrink-0 md:size-16" />
      <div className="grid min-w-0 justify-items-start gap-4">
        <p className="max-w-[44ch] text-pretty text-ink-soft">{text}</p>
        {action}
      </div>
    </div>
  );
}
