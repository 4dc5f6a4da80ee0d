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
import { CustomersTab } from '../features/reports/customers-tab.tsx';
import { ReportTab } from '../features/reports/report-tab.tsx';

const ProductsTab = lazy(async () => ({ default: (await import('../features/products/products-tab.tsx')).ProductsTab }));

const TABS = ['distribution-info', 'products', 'fees', 'customers', 'report', 'payments', 'actuals'] as const;
const DASHBOARD = { href: '/distributor', label: 'Back to Dashboard' };

/** One distribution of the distributor; one that is not found leads back to the dashboard (spec §2). */
export function DistributionDetail(): ReactNode {
  const { email } = useUser();
  const { id } = useParams<{ id: string }>();
  return (
    <Page welcome={`Welcome, ${email}`} logout={<LogoutButton />}>
      <DistributionRead id={id} whenMissing={<Redirect to={DASHBOARD.href} replace />}>
        {(distribution) => (
          <>
            <DistributionHeader
              distribution={distribution}
              back={DASHBOARD}
              actions={<SendEmail key={distribution.id} distributionId={distribution.id} />}
            />
            <DetailTabs key={distribution.id} distribution={distribution} />
          </>
        )}
      </DistributionRead>
    </Page>
  );
}

function DetailTabs({ distribution }: { distribution: Distribution }): ReactNode {
  const [tab, setTab] = useAddressState('tab', 'distribution-info', TABS);
  const { id } = distribution;
  const products = (
    <Suspense fallback={<SkeletonTable />}>
      <ProductsTab distributionId={id} />
    </Suspense>
  );
  return (
    <Tabs
      label="Distribution"
      value={tab}
      onValue={setTab}
      tabs={[
        { value: 'distribution-info', label: 'Info', content: <DistributionInfo distribution={distribution} /> },
        { value: 'products', label: 'Products', content: products },
        { value: 'fees', label: 'Fees', content: <FeesTab distributionId={id} /> },
        { value: 'customers', label: 'Customers', content: <CustomersTab distribution={distribution} home="/distributor" /> },
        { value: 'report', label: 'Report', content: <ReportTab distributionId={id} /> },
        { value: 'payments', label: 'Payments', content: <PaymentsTab distributionId={id} /> },
        { value: 'actuals', label: 'Actuals', content: <ActualsTab distributionId={id} /> },
      ]}
    />
  );
}
