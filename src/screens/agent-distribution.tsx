import type { ReactNode } from 'react';
import { SkeletonTable, SkeletonStatCards } from '../client/ui/feedback/skeleton.tsx';
import { DistributionHeader } from '../features/distributions/distribution-header.tsx';
import { CounterLink } from '../features/counter/counter-link.tsx';
import { CounterMenu } from '../features/counter/counter-menu.tsx';
import { CustomersTab } from '../features/reports/customers/customers-tab.tsx';
import { DistributionPage } from '../features/distributions/distribution-page.tsx';
import { ORDERS } from './texts.ts';
import { BACK_TO_DASHBOARD } from '../features/distributions/texts.ts';

// The agent's back link leads to the agent's own dashboard (contract §10).
const DASHBOARD = { href: '/agent', label: BACK_TO_DASHBOARD };

const WAITING = (
  <>
    <SkeletonStatCards />
    <SkeletonTable rows={8} hasHead />
  </>
);

/** This read-only page shows an agent the orders of a distribution (spec §2). */
export function AgentDistribution(): ReactNode {
  return (
    <DistributionPage waiting={WAITING}>
      {(distribution) => (
        <>
          <DistributionHeader
            title={ORDERS}
            distribution={distribution}
            back={DASHBOARD}
            actions={
              distribution.acceptActuals ? (
                <>
                  <CounterLink distribution={distribution} home={DASHBOARD.href} />
                  <CounterMenu distributionId={String(distribution.id)} />
                </>
              ) : undefined
            }
          />
          <CustomersTab distribution={distribution} home="/agent" />
        </>
      )}
    </DistributionPage>
  );
}
