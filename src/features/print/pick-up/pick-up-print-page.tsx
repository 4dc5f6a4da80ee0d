import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { EmptyState } from '../../../client/ui/feedback/empty-state.tsx';
import { Pending } from '../../../client/ui/feedback/pending.tsx';
import { SkeletonTable } from '../../../client/ui/feedback/skeleton.tsx';
import { Button } from '../../../client/ui/forms/button.tsx';
import { optionsOf, SegmentedControl } from '../../../client/ui/forms/choices.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { PageHeader } from '../../../client/ui/layout/page-header.tsx';
import { PrintSheet } from '../../../client/ui/print/print-sheet.tsx';
import { useRead } from '../../../client/api/use-calls.ts';
import { useSearchParamState } from '../../../client/navigation/search-param-state.ts';
import { usePrinted } from '../../../client/printing/use-printed.ts';
import { useBackToCounter } from '../../counter/counter-links.tsx';
import { BACK_TO_CUSTOMERS } from '../../distributions/texts.ts';
import { readPrints, type PrintData } from '../contract.ts';
import { idOf, type BackTarget } from '../print-view.tsx';
import { UserPage } from '../../auth/user-page.tsx';
import {
  BY_LABELS,
  labelsCountText,
  NOTHING_TO_PRINT,
  ordersCountText,
  PAPER,
  PAPER_LABELS,
  PER_LABELS,
  PICK_UP_PRINT,
  PRINT,
  PRINT_PER,
  PRINT_WITHOUT_MARGINS,
  SHEET,
  SHEET_LABELS,
  SORTED,
} from '../texts.ts';
import { LABEL_SHEETS, LABELS_PER, labelsOf, LabelSheets } from './label-sheets.tsx';
import { ORDERS_BY, sortedOrders } from './pick-up-orders.ts';
import { PickUpSheet } from './pick-up-sheet.tsx';

const PAPERS = ['sheets', 'labels'] as const;

/**
 * The page at /distributor/distribution/{id}/pick-up-print, which prints pick-up sheets or adhesive labels for all orders (contract §14).
 */
export function PickUpPrintPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const back = useBackToCounter(id, { href: `/distributor/distribution/${id}?tab=customers`, label: BACK_TO_CUSTOMERS });
  const prints = useRead(readPrints, { id: idOf(id) }, { nullOn: 404 });
  const { data } = prints;
  return (
    <UserPage>
      {data && data.length > 0 ? (
        <Choice back={back} prints={data} />
      ) : (
        <>
          <PageHeader title={PICK_UP_PRINT} back={back} />
          {data && (
            <Card>
              <EmptyState picture="list" text={NOTHING_TO_PRINT} />
            </Card>
          )}
          {data === null && <EmptyState picture="search" text={NOTHING_TO_PRINT} />}
          {data === undefined && <Pending read={prints} waiting={<SkeletonTable rows={3} />} />}
        </>
      )}
    </UserPage>
  );
}

function Choice({ back, prints }: { back: BackTarget; prints: readonly PrintData[] }): ReactNode {
  const hasTimes = prints.some(({ order }) => order.slot);
  const [paper, setPaper] = useSearchParamState('paper', 'sheets', PAPERS);
  const [by, setBy] = useSearchParamState('by', hasTimes ? 'time' : 'name', ORDERS_BY);
  const [sheet, setSheet] = useSearchParamState('sheet', '5160', LABEL_SHEETS);
  const [per, setPer] = useSearchParamState('per', 'order', LABELS_PER);
  const isPrinted = usePrinted();
  const orders = sortedOrders(prints, by);
  const labels = paper === 'labels' ? labelsOf(orders, per) : [];
  return (
    <>
      <PageHeader
        title={PICK_UP_PRINT}
        context={prints[0]?.distribution.name}
        back={back}
        actions={
          <Button variant="main" icon={<Printer aria-hidden />} onClick={() => window.print()}>
            {PRINT}
          </Button>
        }
      />
      <Card>
        <div className="grid justify-items-start gap-4">
          <SegmentedControl label={PAPER} options={optionsOf(PAPERS, PAPER_LABELS)} value={paper} onValue={setPaper} />
          {hasTimes && <SegmentedControl label={SORTED} options={optionsOf(ORDERS_BY, BY_LABELS)} value={by} onValue={setBy} />}
          {paper === 'labels' && (
            <>
              <SegmentedControl label={SHEET} options={optionsOf(LABEL_SHEETS, SHEET_LABELS)} value={sheet} onValue={setSheet} />
              <SegmentedControl label={PRINT_PER} options={optionsOf(LABELS_PER, PER_LABELS)} value={per} onValue={setPer} />
            </>
          )}
          <p className="text-s text-ink-soft">
            {paper === 'labels' ? `${labelsCountText(labels.length)} ${PRINT_WITHOUT_MARGINS}` : ordersCountText(orders.length)}
          </p>
        </div>
      </Card>
      {isPrinted && (
        <PrintSheet>
          {paper === 'labels' ? (
            <LabelSheets labels={labels} sheet={sheet} />
          ) : (
            orders.map((print) => <PickUpSheet key={print.order.id} print={print} />)
          )}
        </PrintSheet>
      )}
    </>
  );
}
