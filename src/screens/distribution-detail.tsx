import { lazy, Suspense } from 'react';
import type { ReactNode } from 'react';
import { Redirect, useParams } from 'wouter';
import { useAddressState } from '../client/address-state.ts';
import { Page } from '../client/ui/page.tsx';
import { SkeletonTable } from '../client/ui/skeleton.tsx';
import { Tabs } from '../client/ui/tabs.tsx';
import { ActualsTab } from '../features/actuals/actuals-tab.tsx';
import { useUser } from '../features/auth/auth-provider.tsx';
import { LogoutButton } from '../features/auth/logout-button.tsx';
import type { Distribution } from '../features/distributions/contract.ts';
import { DistributionHeader } from '../features/distributions/distribution-header.tsx';
import { DistributionInfo } from '../features/distributions/distribution-info.tsx';
import { DistributionRead } from '../features/distributions/distribution-read.tsx';
import { SendEmail } from '../features/emails/send-email.tsx';
import { FeesTab } from '../features/fees/fees-tab.tsx';
import { PaymentsTab } from '../features/payments/payments-tab.tsx';
import { VIEWS } from '../features/reports/customer-views.tsx';
import { CustomersTab } from '../features/reports/customers-tab.tsx';
import { ReportTab } from '../features/reports/report-tab.tsx';
import { welcomeText } from '../features/auth/texts.ts';
import { BACK_TO_DASHBOARD } from '../features/distributions/texts.ts';
import { DISTRIBUTION, DISTRIBUTION_TABS } from './texts.ts';

const ProductsTab = lazy(async () => ({ default: (await import('../features/products/products-tab.tsx')).ProductsTab }));

const TABS = ['distribution-info', 'products', 'fees', 'customers', 'report', 'payments', 'actuals'] as const;
/** Whom an e-mail begins with that is written from a view of the customers. */
const GROUP_OF = { all: 'all', 'not-ordered': 'without', 'not-weighed': 'all', 'not-paid': 'unpaid', 'refund-due': 'all' } as const;
const DASHBOARD = { href: '/distributor', label: BACK_TO_DASHBOARD };

/** One distribution of the distributor; one that is not found leads back to the dashboard (spec §2). */
export function DistributionDetail(): ReactNode {
  const { email } = useUser();
  const { id } = useParams<{ id: string }>();
  return (
    <Page welcome={welcomeText(email)} logout={<LogoutButton />}>
      <DistributionRead id={id} whenMissing={<Redirect to={DASHBOARD.href} replace />}>
        {(distribution) => <Detail key={distribution.id} distribution={distribution} />}
      </DistributionRead>
    </Page>
  );
}

function Detail({ distribution }: { distribution: Distribution }): ReactNode {
  const [tab, setTab] = useAddressState('tab', 'distribution-info', TABS);
  // The other tabs have a main action of their own, or nothing that has to be done.
  const [view] = useAddressState('view', 'all', VIEWS);
  const sending =
    tab === 'customers' ? (
      <SendEmail distributionId={distribution.id} group={GROUP_OF[view]} />
    ) : (
      <SendEmail distributionId={distribution.id} variant="plain" />
    );
  return (
    <>
      <DistributionHeader distribution={distribution} back={DASHBOARD} actions={sending} />
      <DetailTabs distribution={distribution} tab={tab} onTab={setTab} />
    </>
  );
}

interface DetailTabsProps {
  distribution: Distribution;
  tab: (typeof TABS)[number];
  onTab: (tab: (typeof TABS)[number]) => void;
}

function DetailTabs({ distribution, tab, onTab }: DetailTabsProps): ReactNode {
  const { id } = distribution;
  const products = (
    <Suspense fallback={<SkeletonTable />}>
      <ProductsTab distributionId={id} />
    </Suspense>
  );
  return (
    <Tabs
      label={DISTRIBUTION}
      value={tab}
      onValue={onTab}
      tabs={[
        {
          value: 'distribution-info',
          label: DISTRIBUTION_TABS['distribution-info'],
          content: <DistributionInfo distribution={distribution} />,
        },
        { value: 'products', label: DISTRIBUTION_TABS.products, content: products },
        { value: 'fees', label: DISTRIBUTION_TABS.fees, content: <FeesTab distributionId={id} /> },
        {
          value: 'customers',
          label: DISTRIBUTION_TABS.customers,
          content: <CustomersTab distribution={distribution} home="/distributor" />,
        },
        { value: 'report', label: DISTRIBUTION_TABS.report, content: <ReportTab distributionId={id} /> },
        { value: 'payments', label: DISTRIBUTION_TABS.payments, content: <PaymentsTab distributionId={id} /> },
        { value: 'actuals', label: DISTRIBUTION_TABS.actuals, content: <ActualsTab distributionId={id} /> },
      ]}
    />
  );
}
