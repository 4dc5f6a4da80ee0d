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
  /** The id in the URL. */
  id: string;
  /** Shown for an id that does not exist or belongs to another distributor. */
  whenMissing: ReactNode;
  /** The skeleton below the page title while loading. */
  waiting: ReactNode;
  children: (distribution: Distribution) => ReactNode;
}

/**
 * Finds the distribution of a URL in the list of distributions, which the dashboard has just loaded; requesting a missing one would log an
 * error in the browser's console (contract §10).
 */
export function DistributionLoader({ id, whenMissing, waiting, children }: DistributionLoaderProps): ReactNode {
  const list = useRead(listDistributions);
  const distribution = list.data?.find((own) => own.id === Number(id));
  // The deferred rendering keeps the page responsive to input.
  const isRendered = useDeferredValue(distribution !== undefined);
  if (distribution && isRendered) return children(distribution);
  if (list.error) return <NotLoaded error={list.error} onRetry={() => void list.refetch()} />;
  // A stale list may not contain a new distribution.
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
