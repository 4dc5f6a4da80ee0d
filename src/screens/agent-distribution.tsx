import type { ReactNode } from 'react';
import { Redirect, useParams } from 'wouter';
import { Page } from '../client/ui/page.tsx';
import { useUser } from '../features/auth/auth-provider.tsx';
import { LogoutButton } from '../features/auth/logout-button.tsx';
import { DistributionHeader } from '../features/distributions/distribution-header.tsx';
import { DistributionRead } from '../features/distributions/distribution-read.tsx';
import { CustomersTab } from '../features/reports/customers-tab.tsx';

// Contract §10: the agent's way back ends on the agent's own dashboard.
const DASHBOARD = { href: '/agent', label: 'Back to Dashboard' };

/** The agent's read-only Orders page of a distribution (spec §2). */
export function AgentDistribution(): ReactNode {
  const { email } = useUser();
  const { distributionId } = useParams<{ distributionId: string }>();
  return (
    <Page welcome={`Welcome, ${email}`} logout={<LogoutButton />}>
      <DistributionRead id={distributionId} whenMissing={<Redirect to={DASHBOARD.href} replace />}>
        {(distribution) => (
          <>
            <DistributionHeader title="Orders" distribution={distribution} back={DASHBOARD} />
            <CustomersTab distribution={distribution} home="/agent" />
          </>
        )}
      </DistributionRead>
    </Page>
  );
}
