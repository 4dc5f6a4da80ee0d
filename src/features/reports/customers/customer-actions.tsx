import type { ReactNode } from 'react';
import { RowActions, RowLink } from '../../../client/ui/table/row-actions.tsx';
import type { Column } from '../../../client/ui/table/table-column.ts';
import { mayPay } from '../../../domain/payment.ts';
import { PayButton } from '../../payments/pay/pay-button.tsx';
import type { CustomerReportRow } from '../contract.ts';
import { displayNameOf } from './customer-columns.tsx';
import { isPlaced } from './order-progress.tsx';
import { editOrderOfText, addOrderOfText, EDIT, ADD, printOrderOfText, PRINT, weightsOfText, WEIGHTS } from '../texts.ts';

export interface CustomerLinksProps {
  /** The first segment of the paths of the viewer's screens. */
  home: '/distributor' | '/agent';
  distributionId: number;
  acceptsActuals: boolean;
  /** Whether the viewer may take payments: the distributor may, and so may agents whom the distributor allows to (contract §3, §14). */
  takesPayments: boolean;
  onPay: (orderId: number) => void;
}

const weightsHref = (home: string, orderId: number): string => `${home}/orders/${orderId}/actual-quantities`;

/**
 * Returns what staff can do next with the order of a row. If units must still be weighed, this is the URL of the page for weights. If all
 * are weighed, it is the id of the order whose payment staff can record. Null means that staff have nothing to enter.
 */
export function nextStep(
  { home, acceptsActuals, takesPayments }: Pick<CustomerLinksProps, 'home' | 'acceptsActuals' | 'takesPayments'>,
  row: CustomerReportRow,
): NextStep {
  const { order_id, expected_count, has_all_actuals, balance } = row;
  if (order_id === null) return null;
  if (!has_all_actuals) return acceptsActuals && expected_count > 0 ? { href: weightsHref(home, order_id) } : null;
  return takesPayments && mayPay({ hasAllActuals: has_all_actuals, balance }) ? { pay: order_id } : null;
}
type NextStep = { readonly href: string } | { readonly pay: number } | null;

/**
 * Returns the column with the links to the screens of a row's order (spec §2). The caller must memoize the column, because `useTable`
 * requires memoized columns.
 */
export const linksColumn = (props: CustomerLinksProps): Column<CustomerReportRow> => ({
  id: 'links',
  header: '',
  value: () => null,
  cell: (row) => <CustomerLinks {...props} row={row} />,
  card: 'actions',
  align: 'end',
  width: props.takesPayments ? '17.5rem' : '13rem',
});

function CustomerLinks({
  home,
  distributionId,
  acceptsActuals,
  takesPayments,
  onPay,
  row,
}: CustomerLinksProps & { row: CustomerReportRow }): ReactNode {
  const { order_id, customer_id, expected_count, has_all_actuals, balance } = row;
  const customer = displayNameOf(row);
  const hasOrder = isPlaced(row);
  return (
    <RowActions>
      <RowLink
        row={customer_id}
        href={`${home}/edit-order/${distributionId}/${customer_id}`}
        label={hasOrder ? editOrderOfText(customer) : addOrderOfText(customer)}
      >
        {hasOrder ? EDIT : ADD}
      </RowLink>
      {order_id !== null && (
        <RowLink row={customer_id} href={`${home}/print-order/${order_id}`} label={printOrderOfText(customer)}>
          {PRINT}
        </RowLink>
      )}
      {order_id !== null && acceptsActuals && expected_count > 0 && (
        <RowLink row={customer_id} href={weightsHref(home, order_id)} label={weightsOfText(customer)}>
          {WEIGHTS}
        </RowLink>
      )}
      {takesPayments && (
        <PayButton
          row={customer_id}
          customer={customer}
          balance={balance}
          isReady={has_all_actuals}
          onPay={() => order_id !== null && onPay(order_id)}
        />
      )}
    </RowActions>
  );
}
