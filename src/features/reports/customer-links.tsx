import type { ReactNode } from 'react';
import { RowActions, RowLink } from '../../client/ui/row-actions.tsx';
import type { Column } from '../../client/ui/table-column.ts';
import { PayNow } from '../payments/pay-now.tsx';
import type { CustomerReportRow } from './contract.ts';
import { calledOf } from './customer-columns.tsx';
import { isPlaced } from './order-progress.tsx';

export interface CustomerLinksProps {
  /** Where the viewer's screens begin. Only the distributor takes payments (contract §3). */
  home: '/distributor' | '/agent';
  distributionId: number;
  acceptsActuals: boolean;
}

/** What staff do with the order of a row (spec §2). A constant for one set of props, as every column. */
export const linksColumn = (props: CustomerLinksProps): Column<CustomerReportRow> => ({
  id: 'links',
  header: '',
  value: () => null,
  cell: (row) => <CustomerLinks {...props} row={row} />,
  card: 'actions',
  align: 'end',
  width: props.home === '/distributor' ? '17.5rem' : '13rem',
});

function CustomerLinks({ home, distributionId, acceptsActuals, row }: CustomerLinksProps & { row: CustomerReportRow }): ReactNode {
  const { order_id, customer_id, expected_count, has_all_actuals, balance } = row;
  const customer = calledOf(row);
  const order = isPlaced(row) ? 'Edit' : 'Add';
  return (
    <RowActions>
      <RowLink href={`${home}/edit-order/${distributionId}/${customer_id}`} label={`${order} Order of ${customer}`}>
        {order}
      </RowLink>
      {order_id !== null && (
        <RowLink href={`${home}/print-order/${order_id}`} label={`Print Order of ${customer}`}>
          Print
        </RowLink>
      )}
      {order_id !== null && acceptsActuals && expected_count > 0 && (
        <RowLink href={`${home}/orders/${order_id}/actual-quantities`} label={`Weights of ${customer}`}>
          Weights
        </RowLink>
      )}
      {home === '/distributor' && (
        <PayNow place="customers" orderId={order_id} customer={customer} balance={balance} isReady={has_all_actuals} />
      )}
    </RowActions>
  );
}
