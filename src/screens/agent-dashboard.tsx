import type { ReactNode } from 'react';
import { Page } from '../client/ui/layout/page.tsx';
import { PageHeader } from '../client/ui/layout/page-header.tsx';
import { SourceLine } from '../client/ui/layout/source-line.tsx';
import { useUser } from '../features/auth/auth-provider.tsx';
import { LogoutButton } from '../features/auth/account/logout-button.tsx';
import { DistributionList } from '../features/distributions/distribution-list.tsx';
import { NONE_OF_AGENT } from '../features/distributions/texts.ts';
import { welcomeText } from '../features/auth/texts.ts';
import { AGENT_DASHBOARD, OPEN_DISTRIBUTION } from './texts.ts';

export function AgentDashboard(): ReactNode {
  const { email } = useUser();
  return (
    <Page welcome={welcomeText(email)} logout={<LogoutButton />}>
      <PageHeader title={AGENT_DASHBOARD} />
      <DistributionList hrefOf={(id) => `/agent/distribution/${id}`} openLabel={OPEN_DISTRIBUTION} empty={NONE_OF_AGENT} />
      <SourceLine className="mt-16" />
    </Page>
  );
}
