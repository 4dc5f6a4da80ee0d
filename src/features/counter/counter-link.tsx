import { Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../client/ui/forms/button.tsx';
import { COUNTER } from './texts.ts';

export interface CounterLinkProps {
  distribution: { readonly id: number; readonly acceptActuals: boolean };
  /** The path of the dashboard for the viewer's role. */
  home: string;
}

/** The link to the counter in the distribution's header. It appears once the distribution accepts actuals (contract §14). */
export function CounterLink({ distribution, home }: CounterLinkProps): ReactNode {
  if (!distribution.acceptActuals) return null;
  return (
    <ButtonLink href={`${home}/distribution/${distribution.id}/counter`} icon={<Scale aria-hidden />}>
      {COUNTER}
    </ButtonLink>
  );
}
