import type { ReactNode } from 'react';
import { Page } from '../client/ui/page.tsx';
import { PageHeader } from '../client/ui/page-header.tsx';
import { useUser } from '../features/auth/auth-provider.tsx';
import { LogoutButton } from '../features/auth/logout-button.tsx';
import { DistributionList } from '../features/distributions/distribution-list.tsx';
import { NONE_OF_AGENT } from '../features/distributions/texts.ts';

export function AgentDashboard(): ReactNode {
  const { email } = useUser();
  return (
    <Page welcome={`Welcome, ${email}`} logout={<LogoutButton />}>
      <PageHeader title="Agent Dashboard" />
      <DistributionList hrefOf={(id) => `/agent/distribution/${id}`} openLabel="Open Distribution" empty={NONE_OF_AGENT} />
    </Page>
  );
}
