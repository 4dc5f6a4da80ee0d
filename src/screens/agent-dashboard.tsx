import type { ReactNode } from 'react';
import { PageHeader } from '../client/ui/layout/page-header.tsx';
import { SourceLine } from '../client/ui/layout/source-line.tsx';
import { DistributionList } from '../features/distributions/distribution-list.tsx';
import { UserPage } from '../features/auth/user-page.tsx';
import { NONE_OF_AGENT } from '../features/distributions/texts.ts';
import { AGENT_DASHBOARD, OPEN_DISTRIBUTION } from './texts.ts';

export function AgentDashboard(): ReactNode {
  return (
    <UserPage>
      <PageHeader title={AGENT_DASHBOARD} />
      <DistributionList hrefOf={(id) => `/agent/distribution/${id}`} openLabel={OPEN_DISTRIBUTION} empty={NONE_OF_AGENT} />
      <SourceLine className="mt-16" />
    </UserPage>
  );
}
