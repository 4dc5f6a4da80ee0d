import { Fragment, useDeferredValue, type ReactNode } from 'react';
import { Redirect, useParams } from 'wouter';
import { useRead } from '../../client/api/use-calls.ts';
import { homeOf } from '../../domain/accounts/roles.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { UserPage } from '../auth/user-page.tsx';
import { listDistributions, type Distribution } from './contract.ts';
import { PendingPage } from './problem-page.tsx';
import { DISTRIBUTION } from './texts.ts';

interface DistributionPageProps {
  /** The heading that is shown if the distribution cannot be loaded. */
  title?: string;
  /** The skeleton that is shown below the page title while the distribution loads. */
  waiting: ReactNode;
  children: (distribution: Distribution) => ReactNode;
}

/**
 * Renders the screen of the distribution whose id is in the URL. If the id does not exist or belongs to another distributor, redirects the
 * user to the dashboard (spec §2).
 */
export function DistributionPage(props: DistributionPageProps): ReactNode {
  return (
    <UserPage>
      <Loaded {...props} />
    </UserPage>
  );
}

/**
 * Finds the distribution in the list of all distributions, which the dashboard has usually just loaded. A request for the single
 * distribution would fail if it does not exist, and the browser would log an error in its console (contract §10).
 */
function Loaded({ title = DISTRIBUTION, waiting, children }: DistributionPageProps): ReactNode {
  const { role } = useUser();
  const { id } = useParams<{ id: string }>();
  const list = useRead(listDistributions);
  const distribution = list.data?.find((own) => own.id === Number(id));
  // The page is rendered with low priority, so that the browser can respond to input in the meantime.
  const isRendered = useDeferredValue(distribution !== undefined);
  if (distribution && isRendered) return <Fragment key={distribution.id}>{children(distribution)}</Fragment>;
  // While the list is being read again, a new distribution may be missing from the old list.
  if (!distribution && list.data && !list.error && !list.isFetching) return <Redirect to={homeOf(role)} replace />;
  return <PendingPage title={title} read={list} waiting={waiting} />;
}
