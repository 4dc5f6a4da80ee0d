import { useEffect, type ReactNode } from 'react';
import { useSearchParamState } from '../client/navigation/search-param-state.ts';
import { lazyScreen } from '../client/navigation/lazy-screen.ts';
import { confirmBeforeLeaving } from '../client/navigation/use-leave-guard.ts';
import { useIdlePreload } from '../client/navigation/use-idle-preload.ts';
import { SkeletonTable, SkeletonTabs } from '../client/ui/feedback/skeleton.tsx';
import { Tabs } from '../client/ui/layout/tabs.tsx';
import { CopyDistribution } from '../features/copies/copy-distribution.tsx';
import type { Distribution } from '../features/distributions/contract.ts';
import { DistributionHeader } from '../features/distributions/distribution-header.tsx';
import { DistributionInfo, WaitingInfo } from '../features/distributions/edit/distribution-info.tsx';
import { CounterLink } from '../features/counter/counter-link.tsx';
import { SendEmail } from '../features/emails/send/send-email.tsx';
import { VIEWS } from '../features/reports/customers/customer-views.tsx';
import { DistributionPage } from '../features/distributions/distribution-page.tsx';
import { BACK_TO_DASHBOARD, DISTRIBUTION } from '../features/distributions/texts.ts';
import { DISTRIBUTION_TABS } from './texts.ts';

const TABS = ['distribution-info', 'products', 'fees', 'customers', 'report', 'payments', 'actuals'] as const;
const ProductsTab = lazyScreen(async () => (await import('../features/products/list/products-tab.tsx')).ProductsTab);
const FeesTab = lazyScreen(async () => (await import('../features/fees/fees-tab.tsx')).FeesTab);
const CustomersTab = lazyScreen(async () => (await import('../features/reports/customers/customers-tab.tsx')).CustomersTab);
const ReportTab = lazyScreen(async () => (await import('../features/reports/page/report-tab.tsx')).ReportTab);
const PaymentsTab = lazyScreen(async () => (await import('../features/payments/payments-tab.tsx')).PaymentsTab);
const ActualsTab = lazyScreen(async () => (await import('../features/actuals/actuals-tab.tsx')).ActualsTab);
const SCRIPTS = {
  products: ProductsTab,
  fees: FeesTab,
  customers: CustomersTab,
  report: ReportTab,
  payments: PaymentsTab,
  actuals: ActualsTab,
};
const ALL_SCRIPTS = Object.values(SCRIPTS);

/** Maps each view of the customers table to the group of recipients that the e-mail dialog preselects. */
const GROUP_OF = {
  all: 'all',
  ordered: 'with',
  'not-ordered': 'without',
  'not-weighed': 'all',
  'not-paid': 'unpaid',
  'refund-due': 'all',
  'not-picked-up': 'with',
} as const;
const DASHBOARD = { href: '/distributor', label: BACK_TO_DASHBOARD };

/** Shows one distribution of the distributor. An unknown id leads back to the dashboard (spec §2). */
export function DistributionDetail(): ReactNode {
  const [tab, setTab] = useSearchParamState('tab', 'distribution-info', TABS);
  useEffect(() => {
    // An error is ignored here, because the user sees the error when opening the tab.
    if (tab !== 'distribution-info') SCRIPTS[tab].load().catch(() => undefined);
  }, [tab]);
  useIdlePreload(ALL_SCRIPTS);
  return (
    <DistributionPage waiting={<Waiting tab={tab} />}>
      {(distribution) => <Detail distribution={distribution} tab={tab} onTab={setTab} />}
    </DistributionPage>
  );
}

interface DetailProps {
  distribution: Distribution;
  tab: (typeof TABS)[number];
  onTab: (tab: (typeof TABS)[number]) => void;
}

const Waiting = ({ tab }: { tab: (typeof TABS)[number] }): ReactNode => (
  <>
    <SkeletonTabs />
    {tab === 'distribution-info' ? <WaitingInfo /> : <SkeletonTable hasHead />}
  </>
);

function Detail({ distribution, tab, onTab }: DetailProps): ReactNode {
  const { id, rehearsal } = distribution;
  // On the customers tab, sending e-mail is the main action. On the other tabs, the button for sending e-mail is plain, because they have
  // another main action or none.
  const [view] = useSearchParamState('view', 'all', VIEWS);
  const sending =
    tab === 'customers' ? <SendEmail distributionId={id} group={GROUP_OF[view]} /> : <SendEmail distributionId={id} variant="plain" />;
  const contents = {
    'distribution-info': <DistributionInfo distribution={distribution} />,
    // A rehearsal does not have these two tabs, because a change on them could affect real distributions: for instance, a picture is used
    // for products with the same code in every distribution.
    ...(!rehearsal && { products: <ProductsTab distribution={distribution} />, fees: <FeesTab distributionId={id} /> }),
    customers: <CustomersTab distribution={distribution} home="/distributor" />,
    report: <ReportTab distributionId={id} />,
    payments: <PaymentsTab distributionId={id} />,
    actuals: <ActualsTab distributionId={id} />,
  };
  return (
    <>
      <DistributionHeader
        distribution={distribution}
        back={DASHBOARD}
        actions={
          <>
            {!rehearsal && <CopyDistribution distribution={distribution} />}
            <CounterLink distribution={distribution} home={DASHBOARD.href} />
            {!rehearsal && sending}
          </>
        }
      />
      <Tabs
        label={DISTRIBUTION}
        labels={DISTRIBUTION_TABS}
        contents={contents}
        value={tab in contents ? tab : 'distribution-info'}
        onValue={(next) => confirmBeforeLeaving(() => onTab(next))}
      />
    </>
  );
}
