import clsx from 'clsx';
import type { ReactNode } from 'react';

export function Brand({ className }: { className?: string }): ReactNode {
  return (
    <span className={clsx('font-serif text-[1.1875rem] leading-none font-[560] tracking-tight text-accent', className)}>Feastday</span>
  );
}
