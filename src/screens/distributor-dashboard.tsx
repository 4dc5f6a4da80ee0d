import { useState, type ReactNode } from 'react';
import { useSearchParamState } from '../client/navigation/search-param-state.ts';
import { lazyScreen } from '../client/navigation/lazy-screen.ts';
import { useIdlePreload } from '../client/navigation/use-idle-preload.ts';
import { PageHeader } from '../client/ui/layout/page-header.tsx';
import { SourceLine } from '../client/ui/layout/source-line.tsx';
import { Tabs } from '../client/ui/layout/tabs.tsx';
import { CopyDistribution, CopyForm } from '../features/copies/copy-distribution.tsx';
import { CreateDistribution, CreateForm } from '../features/distributions/create/create-distribution.tsx';
import { DistributionList } from '../features/distributions/distribution-list.tsx';
import { NONE_OF_DISTRIBUTOR } from '../features/distributions/texts.ts';
import { SendEmail } from '../features/emails/send/send-email.tsx';
import { JoinLink, JoinLinkState } from '../features/organization/join-link.tsx';
import { OrganizationButton, OrganizationForm, OrganizationHint } from '../features/organization/organization-dialog.tsx';
import { CleanUp, UnusedCustomers } from '../features/unused-customers/clean-up.tsx';
import { UserPage } from '../features/auth/user-page.tsx';
import { DASHBOARD, DASHBOARD_TABS, DISTRIBUTOR_DASHBOARD, MANAGE_DISTRIBUTION } from './texts.ts';

const UsersTab = lazyScreen(async () => (await import('../features/users/list/users-tab.tsx')).UsersTab);

const SCRIPTS = [CreateForm, CopyForm, OrganizationForm, JoinLinkState, UsersTab, UnusedCustomers];
const TABS = ['distributions', 'customers', 'agents'] as const;
const CUSTOMERS_ACTIONS = (
  <>
    <SendEmail variant="plain" />
    <JoinLink />
    <CleanUp />
  </>
);

export function DistributorDashboard(): ReactNode {
  const [tab, setTab] = useSearchParamState('tab', 'distributions', TABS);
  useIdlePreload(SCRIPTS);
  const [isOrganization, setIsOrganization] = useState(false);
  return (
    <UserPage>
      <PageHeader title={DISTRIBUTOR_DASHBOARD} actions={<OrganizationButton open={isOrganization} onOpenChange={setIsOrganization} />} />
      <Tabs
        label={DASHBOARD}
        labels={DASHBOARD_TABS}
        contents={{
          distributions: (
            <DistributionList
              hrefOf={(id) => `/distributor/distribution/${id}`}
              openLabel={MANAGE_DISTRIBUTION}
              actionsOf={(distribution) => !distribution.rehearsal && <CopyDistribution distribution={distribution} isInList />}
              empty={NONE_OF_DISTRIBUTOR}
              create={<CreateDistribution />}
              note={<OrganizationHint onOpen={() => setIsOrganization(true)} />}
            />
          ),
          customers: <UsersTab people="customer" actions={CUSTOMERS_ACTIONS} />,
          agents: <UsersTab people="agent" />,
        }}
        value={tab}
        onValue={setTab}
      />
      <SourceLine className="mt-16" />
    </UserPage>
  );
}
