import type { ReactNode } from 'react';
import { Card } from '../../client/ui/layout/card.tsx';
import { EmptyState } from '../../client/ui/feedback/empty-state.tsx';
import { ErrorState } from '../../client/ui/feedback/error-state.tsx';
import { SkeletonList } from '../../client/ui/feedback/skeleton.tsx';
import { useRead } from '../../client/api/use-calls.ts';
import { AddDistributor } from './add-distributor.tsx';
import { listDistributors, type Distributor } from './contract.ts';
import { DISTRIBUTORS, DISTRIBUTORS_MEAN, idText, NO_DISTRIBUTORS } from './texts.ts';

/** Every distributor with e-mail and id (spec §2). */
export function DistributorList(): ReactNode {
  const { data, error, refetch } = useRead(listDistributors);
  if (!data)
    return <div className="max-w-3xl">{error ? <ErrorState text={error.message} onRetry={() => void refetch()} /> : <SkeletonList />}</div>;
  if (data.length === 0) {
    return (
      <Card title={DISTRIBUTORS} subtitle={DISTRIBUTORS_MEAN} className="max-w-3xl">
        <EmptyState picture="people" text={NO_DISTRIBUTORS} action={<AddDistributor />} />
      </Card>
    );
  }
  return (
    <Card title={DISTRIBUTORS} subtitle={DISTRIBUTORS_MEAN} actions={<AddDistributor />} isFlush className="max-w-3xl">
      <ul aria-label={DISTRIBUTORS}>
        {data.map((distributor) => (
          <Row key={distributor.id} distributor={distributor} />
        ))}
      </ul>
    </Card>
  );
}

function Row({ distributor: { id, email } }: { distributor: Distributor }): ReactNode {
  return (
    <li className="flex items-baseline justify-between gap-6 border-b border-line px-4 py-3.5 last:border-b-0 md:px-5">
      <span className="min-w-0 font-semibold">{email}</span>
      <span className="num text-s text-ink-soft">{idText(id)}</span>
    </li>
  );
}
