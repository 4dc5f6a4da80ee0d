import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Button, ButtonLink } from '../../../client/ui/forms/button.tsx';
import { Menu } from '../../../client/ui/overlays/menu.tsx';
import { PRINT_ALL } from '../../print/texts.ts';
import type { CustomerReportRow } from '../contract.ts';
import { isPlaced } from './order-progress.tsx';
import { PRINT_ORDERS, printShownText } from '../texts.ts';

interface PrintChoiceProps {
  distributionId: number;
  rows: readonly CustomerReportRow[];
  shown: readonly CustomerReportRow[];
}

const placedIn = (rows: readonly CustomerReportRow[]): number[] =>
  rows.flatMap((row) => (isPlaced(row) && row.order_id !== null ? [row.order_id] : []));

/** This button prints all orders. When the table shows only some of the orders, the button asks the user which orders to print. */
export function PrintChoice({ distributionId, rows, shown }: PrintChoiceProps): ReactNode {
  const [, navigate] = useLocation();
  const href = `/distributor/distribution/${distributionId}/print-orders`;
  const orders = placedIn(shown);
  if (orders.length === 0 || orders.length === placedIn(rows).length)
    return (
      <ButtonLink href={href} icon={<Printer aria-hidden />}>
        {PRINT_ALL}
      </ButtonLink>
    );
  return (
    <Menu
      trigger={<Button icon={<Printer aria-hidden />}>{PRINT_ORDERS}</Button>}
      items={[
        // The order ids are passed in the state of the history entry, because thousands of ids do not fit into a URL.
        { label: printShownText(orders.length), onSelect: () => navigate(href, { state: { orders } }) },
        { label: PRINT_ALL, onSelect: () => navigate(href) },
      ]}
    />
  );
}
