import { useDeferredValue, type ReactNode } from 'react';
import { ErrorState } from '../../client/ui/feedback/error-state.tsx';
import { PageHeader } from '../../client/ui/layout/page-header.tsx';
import { SkeletonHeader } from '../../client/ui/feedback/skeleton.tsx';
import { useRead } from '../../client/api/use-calls.ts';
import { homeOf } from '../../domain/accounts/roles.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { listDistributions } from './contract.ts';
import type { Distribution } from './contract.ts';
import { BACK_TO_DASHBOARD, DISTRIBUTION } from './texts.ts';

export interface DistributionLoaderProps {
  /** As it stands in the address. */
  id: string;
  /** Shown when nobody has a distribution of this id, or somebody else has it. */
  whenMissing: ReactNode;
  /** Below the title of the page, as long as it is looked up: of the shape of what comes. */
  waiting: ReactNode;
  children: (distribution: Distribution) => ReactNode;
}

/**
 * The distribution of an address, for the page that shows it. It is looked up in the list, which the dashboard has just shown, and
 * because asking for one that is not there would leave a line on the browser's console (contract §10).
 */
export function DistributionLoader({ id, whenMissing, waiting, children }: DistributionLoaderProps): ReactNode {
  const list = useRead(listDistributions);
  const distribution = list.data?.find((own) => own.id === Number(id));
  // What comes later is drawn in slices, so that a press is answered meanwhile.
  const isDrawn = useDeferredValue(distribution !== undefined);
  if (distribution && isDrawn) return children(distribution);
  if (list.error) return <NotLoaded error={list.error} onRetry={() => void list.refetch()} />;
  // A list from before the distribution was made says nothing.
  if (!distribution && list.data && !list.isFetching) return whenMissing;
  return (
    <>
      <SkeletonHeader />
      {waiting}
    </>
  );
}

function NotLoaded({ error, onRetry }: { error: Error; onRetry: () => void }): ReactNode {
  return (
    <>
      <PageHeader title={DISTRIBUTION} back={{ href: homeOf(useUser().role), label: BACK_TO_DASHBOARD }} />
      <ErrorState text={error.message} onRetry={onRetry} />
    </>
  );
}
