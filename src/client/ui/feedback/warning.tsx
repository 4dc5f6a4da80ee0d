import { TriangleAlert } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

const LOOK = 'gap-2.5 rounded-ctl bg-wait-soft p-3';

/** Shows a warning in a box. */
export function Warning({ title, className = LOOK, children, ...box }: ComponentProps<'div'>): ReactNode {
  return (
    <div {...box} className={`flex ${className}`}>
      <TriangleAlert className="mt-0.5 size-5 shrink-0 text-wait" aria-hidden />
      <div>
        <p className="font-semibold">{title}</p>
        {children}
      </div>
    </div>
  );
}
