import type { ReactNode } from 'react';
import { Pill } from '../../client/ui/pill.tsx';
import type { Flags } from '../../domain/distribution.ts';
import { ORDERING_CLOSED } from './texts.ts';

/** The state of a distribution, as far as it is worth saying. */
export function DistributionPills({ distribution }: { distribution: Flags }): ReactNode {
  return (
    <span className="flex flex-wrap gap-1.5">
      {distribution.published ? <Pill tone="good">Published</Pill> : <Pill tone="none">Draft</Pill>}
      {!distribution.orderingOpen && <Pill tone="wait">{ORDERING_CLOSED}</Pill>}
      {distribution.acceptActuals && <Pill tone="good">Accepting actuals</Pill>}
    </span>
  );
}
