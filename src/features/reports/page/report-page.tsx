import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParamState } from '../../../client/navigation/search-param-state.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Pending } from '../../../client/ui/feedback/pending.tsx';
import { SkeletonTable, SkeletonTabs } from '../../../client/ui/feedback/skeleton.tsx';
import { Tabs } from '../../../client/ui/layout/tabs.tsx';
import { useRead } from '../../../client/api/use-calls.ts';
import { usePrinted } from '../../../client/printing/use-printed.ts';
import { readEstimates } from '../../copies/contract.ts';
import { EstimateErrors } from '../../copies/estimate-errors.tsx';
import type { Distribution } from '../../distributions/contract.ts';
import { DistributionHeader } from '../../distributions/distribution-header.tsx';
import { readReport } from '../contract.ts';
import { MoneySection } from '../money/money-section.tsx';
import { PackingSection } from '../packing/packing-section.tsx';
import { useMoney, usePurchaseList, type SectionRead } from './report-data.ts';
import { ReportSheet } from './report-sheet.tsx';
import { PurchaseListSection } from '../purchase-list/purchase-list-section.tsx';
import { DistributionPage } from '../../distributions/distribution-page.tsx';
import { BACK_TO_DISTRIBUTION } from '../../distributions/texts.ts';
import { NOT_PRINTABLE, REPORT, PRINT_REPORT, REPORT_TABS } from '../texts.ts';

const WAITING = (
  <>
    <SkeletonTabs />
    <SkeletonTable rows={8} hasHead />
  </>
);

/**
 * The page at /distributor/distribution/{distributionId}/report shows the purchase list, the packing lists, payments and balances (contract
 * §9).
 */
export function ReportPage(): ReactNode {
  return <DistributionPage waiting={WAITING}>{(distribution) => <Report distribution={distribution} />}</DistributionPage>;
}

const TABS = ['supply', 'packing', 'money', 'estimates'] as const;

function Report({ distribution }: { distribution: Distribution }): ReactNode {
  const { id } = distribution;
  const [tab, setTab] = useSearchParamState('tab', 'supply', TABS);
  const supply = usePurchaseList(id);
  const packing = useRead(readReport, { id });
  const money = useMoney(id);
  const isPrinted = usePrinted();
  // The tab with estimates appears when at least one unit has been weighed (contract §13).
  const isWeighed = tab === 'estimates' || supply.data?.products.some((row) => row.weighedUnits > 0) === true;
  const estimates = useRead(readEstimates, { id }, { enabled: isWeighed });
  const missing = [supply, packing, money, ...(isWeighed ? [estimates] : [])].filter(({ data }) => data === undefined);
  const failed = missing.filter(({ error }) => error);
  const printing = { error: failed[0]?.error ?? null, refetch: () => failed.forEach((part) => void part.refetch()) };
  return (
    <>
      <DistributionHeader
        distribution={distribution}
        title={REPORT}
        back={{ href: `/distributor/distribution/${id}?tab=report`, label: BACK_TO_DISTRIBUTION }}
        actions={
          <Button icon={<Printer aria-hidden />} disabled={missing.length > 0} onClick={() => window.print()}>
            {PRINT_REPORT}
          </Button>
        }
      />
      <Pending read={printing} waiting={null} errorTitle={NOT_PRINTABLE} isInline />
      <Tabs
        label={REPORT}
        labels={REPORT_TABS}
        contents={{
          supply: <Loaded part={supply}>{(data) => <PurchaseListSection distributionId={id} supply={data} />}</Loaded>,
          packing: <Loaded part={packing}>{(rows) => <PackingSection distribution={distribution} rows={rows} />}</Loaded>,
          money: <Loaded part={money}>{(data) => <MoneySection distributionId={id} money={data} />}</Loaded>,
          ...(isWeighed && { estimates: <EstimateErrors distributionId={id} /> }),
        }}
        value={tab}
        onValue={setTab}
      />
      {isPrinted && (
        <ReportSheet
          distribution={distribution}
          supply={supply.data}
          rows={packing.data}
          money={money.data}
          estimates={isWeighed ? estimates.data : undefined}
        />
      )}
    </>
  );
}

function Loaded<T>({ part, children }: { part: SectionRead<T>; children: (data: T) => ReactNode }): ReactNode {
  if (part.data !== undefined) return children(part.data);
  return <Pending read={part} waiting={<SkeletonTable rows={8} hasHead />} />;
}
