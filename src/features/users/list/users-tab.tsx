import { FileUp } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { EmptyState } from '../../../client/ui/feedback/empty-state.tsx';
import { Pending } from '../../../client/ui/feedback/pending.tsx';
import { SearchField } from '../../../client/ui/forms/search-field.tsx';
import { SkeletonTable } from '../../../client/ui/feedback/skeleton.tsx';
import { Table } from '../../../client/ui/table/table.tsx';
import { withFilter } from '../../../client/ui/table/table-column.ts';
import { useUrlTable } from '../../../client/ui/table/use-table-params.ts';
import { useRead } from '../../../client/api/use-calls.ts';
import { AddUser } from './add-user.tsx';
import { ImportDialog } from '../import/import-dialog.tsx';
import { listUsers, type UserItem } from '../contract.ts';
import { dismissImport, useCustomerImport } from '../import/customer-import.ts';
import { CustomerImportProgress } from '../import/import-progress.tsx';
import { BULK_OPERATIONS, customersText, DONE, NAME_EMAIL_OR_PHONE, PEOPLE, SHOW_IMPORT, type People } from '../texts.ts';
import { useUserActions } from './user-actions.tsx';
import { userColumns } from './user-columns.tsx';

/** The prefix of the query parameters that store a table's filter and sorting. */
const ADDRESS: Record<People, string> = { customer: 'customers', agent: 'users' };

interface UsersTabProps {
  people: People;
  actions?: ReactNode;
}

/** Shows the Customers tab or the Agents tab of the distributor's dashboard (spec §2). */
export function UsersTab({ people, actions }: UsersTabProps): ReactNode {
  const read = useRead(listUsers, { role: people });
  if (read.data) return <Users people={people} users={read.data} actions={actions} />;
  return <Pending read={read} waiting={<SkeletonTable hasHead />} />;
}

function Users({ people, users, actions }: UsersTabProps & { users: readonly UserItem[] }): ReactNode {
  const { title, subtitle, empty, noun } = PEOPLE[people];
  const [isBulk, setIsBulk] = useState(false);
  const { act, dialogs } = useUserActions(people, users);
  const columns = useMemo(() => userColumns(people, act), [people, act]);
  const table = useUrlTable(ADDRESS[people], { columns, rows: users, rowKey: (user) => user.userId });
  const { state, onState } = table;
  const isCustomers = people === 'customer';
  const buttons = (
    <>
      {isCustomers && (
        <Button icon={<FileUp className="hidden md:block" aria-hidden />} onClick={() => setIsBulk(true)}>
          {BULK_OPERATIONS}
        </Button>
      )}
      {actions}
      {users.length > 0 && <AddUser people={people} />}
    </>
  );
  const lead = (
    <>
      <span>{subtitle}</span>
      {isCustomers && users.length > 0 && <span className="num block">{customersText(table.shown.length, users.length)}</span>}
    </>
  );
  return (
    <>
      {isCustomers && !isBulk && <LeftImport onShow={() => setIsBulk(true)} />}
      <Card title={title} subtitle={lead} actions={buttons} isFlush>
        {users.length > 0 && (
          <div className="no-print border-b border-line px-4 py-3 md:px-5">
            <SearchField
              label={NAME_EMAIL_OR_PHONE}
              value={state.filters['name'] ?? ''}
              onValue={(text) => onState(withFilter(state, 'name', text))}
              className="w-full md:w-72"
            />
          </div>
        )}
        <Table
          table={table}
          label={title}
          noun={noun}
          empty={<EmptyState picture="people" text={empty} action={<AddUser people={people} />} />}
        />
      </Card>
      {dialogs}
      {isBulk && <ImportDialog customers={users} shown={table.shown} onClose={() => setIsBulk(false)} />}
    </>
  );
}

function LeftImport({ onShow }: { onShow: () => void }): ReactNode {
  const shown = useCustomerImport();
  if (!shown) return null;
  return (
    <Card className="mb-5">
      <CustomerImportProgress
        shown={shown}
        action={shown.isEnded ? <Button onClick={dismissImport}>{DONE}</Button> : <Button onClick={onShow}>{SHOW_IMPORT}</Button>}
      />
    </Card>
  );
}
