import { lazy, Suspense } from 'react';
import type { ReactNode } from 'react';
import { useAddressState } from '../client/address-state.ts';
import { Page } from '../client/ui/page.tsx';
import { PageHeader } from '../client/ui/page-header.tsx';
import { SkeletonTable } from '../client/ui/skeleton.tsx';
import { Tabs } from '../client/ui/tabs.tsx';
import { useUser } from '../features/auth/auth-provider.tsx';
import { LogoutButton } from '../features/auth/logout-button.tsx';
import { CreateDistribution } from '../features/distributions/create-distribution.tsx';
import { DistributionList } from '../features/distributions/distribution-list.tsx';
import { NONE_OF_DISTRIBUTOR } from '../features/distributions/texts.ts';
import { SendEmail } from '../features/emails/send-email.tsx';
import { JoinLink } from '../features/organization/join-link.tsx';
import { OrganizationButton } from '../features/organization/organization-dialog.tsx';

const UsersTab = lazy(async () => ({ default: (await import('../features/users/users-tab.tsx')).UsersTab }));

const TABS = ['distributions', 'customers', 'agents'] as const;
const CUSTOMERS_ACTIONS = (
  <>
    <SendEmail variant="plain" />
    <JoinLink />
  </>
);

export function DistributorDashboard(): ReactNode {
  const { email } = useUser();
  const [tab, setTab] = useAddressState('tab', 'distributions', TABS);
  return (
    <Page welcome={`Welcome, ${email}`} logout={<LogoutButton />}>
      <PageHeader title="Distributor Dashboard" actions={<OrganizationButton />} />
      <Tabs
        label="Dashboard"
        value={tab}
        onValue={setTab}
        tabs={[
          {
            value: 'distributions',
            label: 'Distributions',
            content: (
              <DistributionList
                hrefOf={(id) => `/distributor/distribution/${id}`}
                openLabel="Manage Distribution"
                empty={NONE_OF_DISTRIBUTOR}
                create={<CreateDistribution />}
              />
            ),
          },
          {
            value: 'customers',
            label: 'Customers',
            content: (
              <Suspense fallback={<SkeletonTable />}>
                <UsersTab people="customer" actions={CUSTOMERS_ACTIONS} />
              </Suspense>
            ),
          },
          {
            value: 'agents',
            label: 'Agents',
            content: (
              <Suspense fallback={<SkeletonTable />}>
                <UsersTab people="agent" />
              </Suspense>
            ),
          },
        ]}
      />
    </Page>
  );
}
