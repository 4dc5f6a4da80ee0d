import { Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../client/ui/forms/button.tsx';
import { COUNTER } from './texts.ts';

interface CounterLinkProps {
  distribution: { readonly id: number; readonly acceptActuals: boolean };
  /** The path of the viewer's dashboard, which depends on the role. */
  home: string;
}

/** The link to the counter in the distribution's header. It is shown while the distribution accepts actual quantities (contract §14). */
export function CounterLink({ distribution, home }: CounterLinkProps): ReactNode {
  if (!distribution.acceptActuals) return null;
  return (
    <ButtonLink href={`${home}/distribution/${distribution.id}/counter`} icon={<Scale aria-hidden />}>
      {COUNTER}
    </ButtonLink>
  );
}
