import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** Shows a warning below a field. The user can save the value anyway. Screen readers announce a warning that appears. */
export function FieldNote({ text }: { text: string | null }): ReactNode {
  return (
    <output>
      {text !== null && (
        <span className="mt-1.5 flex gap-2 text-s text-wait">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
          {text}
        </span>
      )}
    </output>
  );
}
