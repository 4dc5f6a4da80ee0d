import { Printer } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { Badge } from '../../../client/ui/feedback/badge.tsx';
import { EmptyState } from '../../../client/ui/feedback/empty-state.tsx';
import { Pending } from '../../../client/ui/feedback/pending.tsx';
import { SkeletonTable } from '../../../client/ui/feedback/skeleton.tsx';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { Table } from '../../../client/ui/table/table.tsx';
import { useTable } from '../../../client/ui/table/use-table.ts';
import { useRead } from '../../../client/api/use-calls.ts';
import { usePrinted } from '../../../client/printing/use-printed.ts';
import { dollars } from '../../../domain/money.ts';
import { useUser } from '../../auth/auth-provider.tsx';
import { useBackToCounter } from '../../counter/counter-links.tsx';
import type { Distribution } from '../../distributions/contract.ts';
import { DistributionHeader } from '../../distributions/distribution-header.tsx';
import { DistributionPage } from '../../distributions/distribution-page.tsx';
import { BACK_TO_DISTRIBUTION } from '../../distributions/texts.ts';
import { CloseTill } from './close-till.tsx';
import { listTills, type Till, type Tills } from '../contract.ts';
import { OpenTill } from './open-till.tsx';
import { METHOD_COLUMNS, methodRows, SUM_COLUMNS, sumRows, tillPeriod } from './till-columns.tsx';
import { TillsSheet } from './tills-sheet.tsx';
import {
  closedTillText,
  floatText,
  IS_OPEN,
  METHODS_NOUN,
  NO_TILLS,
  paymentsText,
  PRINT_TILLS,
  SUM_NOUN,
  SUM_TITLE,
  TILLS,
  TILLS_HINT,
  tillOfText,
} from '../texts.ts';

/**
 * This page is at /distributor/distribution/{id}/tills and /agent/distribution/{id}/tills. A distributor sees all tills, an agent only the
 * agent's own tills (contract §15).
 */
export function TillsPage(): ReactNode {
  return (
    <DistributionPage title={TILLS} waiting={<SkeletonTable rows={5} hasHead />}>
      {(distribution) => <TillsOf distribution={distribution} />}
    </DistributionPage>
  );
}

function TillsOf({ distribution }: { distribution: Distribution }): ReactNode {
  const { role } = useUser();
  const { id } = distribution;
  const read = useRead(listTills, { id });
  const isPrinted = usePrinted();
  const distributionHref = role === 'agent' ? `/agent/distribution/${id}` : `/distributor/distribution/${id}?tab=payments`;
  const back = useBackToCounter(id, { href: distributionHref, label: BACK_TO_DISTRIBUTION });
  return (
    <>
      <DistributionHeader
        distribution={distribution}
        title={TILLS}
        back={back}
        actions={
          read.data &&
          read.data.tills.length > 0 && (
            <Button icon={<Printer aria-hidden />} onClick={() => window.print()}>
              {PRINT_TILLS}
            </Button>
          )
        }
      />
      <p className="-mt-2 mb-5 text-s text-ink-soft">{TILLS_HINT}</p>
      {read.data ? (
        <Loaded distribution={distribution} tills={read.data} isPrinted={isPrinted} />
      ) : (
        <Pending read={read} waiting={<SkeletonTable rows={5} hasHead />} />
      )}
    </>
  );
}

interface LoadedProps {
  readonly distribution: Distribution;
  readonly tills: Tills;
  readonly isPrinted: boolean;
}

function Loaded({ distribution, tills, isPrinted }: LoadedProps): ReactNode {
  const user = useUser();
  const hasOpen = tills.tills.some(({ userId, closedAt }) => userId === user.id && closedAt === null);
  const mayOpen = !hasOpen && (user.role === 'distributor' || user.mayTakePayments === true);
  return (
    <div className="grid gap-5">
      {tills.tills.length === 0 && (
        <Card>
          <EmptyState picture="coins" text={NO_TILLS} action={mayOpen && <OpenTill distributionId={distribution.id} />} />
        </Card>
      )}
      {tills.tills.length > 0 && mayOpen && (
        <div>
          <OpenTill distributionId={distribution.id} />
        </div>
      )}
      {tills.tills.toReversed().map((till) => (
        <OneTill key={till.id} till={till} />
      ))}
      {tills.tills.length > 0 && tills.withoutTill !== null && <Sums tills={tills} />}
      {isPrinted && <TillsSheet distribution={distribution} tills={tills} />}
    </div>
  );
}

function OneTill({ till }: { till: Till }): ReactNode {
  const rows = useMemo(() => methodRows(till), [till]);
  const table = useTable({ columns: METHOD_COLUMNS, rows, rowKey: (row) => row.method });
  const isOpen = till.closedAt === null;
  return (
    <Card
      title={tillOfText(till.by)}
      subtitle={
        <>
          {isOpen && <Badge tone="wait">{IS_OPEN}</Badge>} {tillPeriod(till)} · {floatText(dollars(till.float))} ·{' '}
          {paymentsText(till.payments)}
        </>
      }
      actions={isOpen && <CloseTill till={till} />}
      isFlush
    >
      {/* An open till does not show the expected sums, because they would influence the count. */}
      {!isOpen && <Table table={table} label={closedTillText(till.by)} noun={METHODS_NOUN} empty={NO_TILLS} />}
    </Card>
  );
}

function Sums({ tills }: { tills: Tills }): ReactNode {
  const rows = useMemo(() => sumRows(tills), [tills]);
  const table = useTable({ columns: SUM_COLUMNS, rows, rowKey: (row) => row.what });
  return (
    <Card title={SUM_TITLE} isFlush>
      <Table table={table} label={SUM_TITLE} noun={SUM_NOUN} empty={NO_TILLS} />
    </Card>
  );
}
