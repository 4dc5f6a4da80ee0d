import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { download } from '../../client/api/download.ts';
import { DOWNLOAD_FILTERED, ERROR } from '../../client/texts.ts';
import { dismissErrorOf, toast } from '../../client/toasts/toast.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { Card } from '../../client/ui/layout/card.tsx';
import { EmptyState } from '../../client/ui/feedback/empty-state.tsx';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { SkeletonTable } from '../../client/ui/feedback/skeleton.tsx';
import { Table } from '../../client/ui/table/table.tsx';
import { useTable } from '../../client/ui/table/use-table.ts';
import { useInfiniteRead, type InfiniteRead } from '../../client/api/use-infinite-read.ts';
import { writeCsv } from '../../shared/csv/write-csv.ts';
import type { Distribution } from '../distributions/contract.ts';
import { DistributionHeader } from '../distributions/distribution-header.tsx';
import { DistributionPage } from '../distributions/distribution-page.tsx';
import { BACK_TO_DISTRIBUTION, WHO_CHANGED_WHAT } from '../distributions/texts.ts';
import { AUDIT_COLUMNS } from './audit-columns.tsx';
import { useAuditFilters } from './audit-filters.tsx';
import { listAudit, type AuditRow } from './contract.ts';
import { AUDIT_CSV } from './csv.ts';
import { OlderChanges } from './older-changes.tsx';
import { AUDIT_HINT, CLEAR_FILTERS, DOWNLOAD, NO_CHANGES_FOUND, NO_CHANGES_YET, TABLE_LABEL, TABLE_NOUN } from './texts.ts';

/** Renders the screen at /distributor/distribution/{id}/audit, which shows who changed what, and when. */
export function AuditPage(): ReactNode {
  return (
    <DistributionPage waiting={<SkeletonTable rows={8} hasHead />}>
      {(distribution) => <Audit distribution={distribution} />}
    </DistributionPage>
  );
}

function Audit({ distribution }: { distribution: Distribution }): ReactNode {
  const { id } = distribution;
  const { filters, clear, fields } = useAuditFilters();
  const { list, readAll } = useInfiniteRead(listAudit, { id }, filters);
  const isFiltered = Object.values(filters).some(Boolean);
  const empty = isFiltered ? (
    <EmptyState picture="search" text={NO_CHANGES_FOUND} action={<Button onClick={clear}>{CLEAR_FILTERS}</Button>} />
  ) : (
    <EmptyState picture="list" text={NO_CHANGES_YET} />
  );
  return (
    <>
      <DistributionHeader
        distribution={distribution}
        title={WHO_CHANGED_WHAT}
        back={{ href: `/distributor/distribution/${id}`, label: BACK_TO_DISTRIBUTION }}
        actions={
          <>
            <SaveAll label={DOWNLOAD} distributionId={id} readAll={() => readAll({})} />
            {isFiltered && <SaveAll label={DOWNLOAD_FILTERED} distributionId={id} readAll={() => readAll(filters)} />}
          </>
        }
      />
      <p className="-mt-2 mb-5 text-s text-ink-soft">{AUDIT_HINT}</p>
      <Card isFlush>
        {fields}
        {list.data ? (
          <Rows rows={list.data} list={list} empty={empty} />
        ) : (
          <Pending read={list} waiting={<SkeletonTable rows={8} isBare />} />
        )}
      </Card>
    </>
  );
}

function Rows({ rows, list, empty }: { rows: readonly AuditRow[]; list: InfiniteRead<AuditRow>; empty: ReactNode }): ReactNode {
  const table = useTable({ columns: AUDIT_COLUMNS, rows, rowKey: (row) => row.key });
  return (
    <>
      <Table table={table} label={TABLE_LABEL} noun={TABLE_NOUN} empty={empty} />
      {rows.length > 0 && <OlderChanges list={list} />}
    </>
  );
}

interface SaveAllProps {
  readonly label: string;
  readonly distributionId: number;
  readonly readAll: () => Promise<AuditRow[]>;
}

/**
 * Renders a link that saves the whole audit trail, or all rows that match the filters, as a CSV file. The file also contains the rows that
 * are not loaded yet (contract §10).
 */
function SaveAll({ label, distributionId, readAll }: SaveAllProps): ReactNode {
  const [isReading, setIsReading] = useState(false);
  const save = async (): Promise<void> => {
    setIsReading(true);
    await readAll().then(
      (rows) => {
        dismissErrorOf(label);
        download(`distribution-${distributionId}-audit.csv`, writeCsv(AUDIT_CSV, rows));
      },
      (error: Error) => toast({ title: ERROR, description: error.message, variant: 'destructive', actionKey: label }),
    );
    setIsReading(false);
  };
  return (
    <Button icon={<Download aria-hidden />} isLoading={isReading} onClick={() => void save()}>
      {label}
    </Button>
  );
}
