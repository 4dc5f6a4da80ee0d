import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { useRead } from '../../client/api/use-calls.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { CustomerPage } from '../contact/customer-page.tsx';
import { BACK_TO_CUSTOMERS, BACK_TO_DASHBOARD, BACK_TO_ORDERS } from '../distributions/texts.ts';
import { listOrders } from '../orders/contract.ts';
import { personName } from '../../shared/person-name.ts';
import { UserPage } from '../auth/user-page.tsx';
import { readOwnPrint, readPrint, type PrintData } from './contract.ts';
import { PrintPay } from './print-pay.tsx';
import { idOf, PrintView, type BackTarget } from './print-view.tsx';
import { PrintedOrder } from './printed-order.tsx';
import { orderNumber, orderTitle } from './texts.ts';

const titleOf = ({ order, contact, distribution }: PrintData): string =>
  orderTitle(orderNumber(order.id), personName(contact), distribution.name);

/** Renders the screen at /customer/print-order/{distributionId} (spec §2). */
export function CustomerPrintPage(): ReactNode {
  const distributionId = idOf(useParams<{ distributionId: string }>().distributionId);
  const orders = useRead(listOrders);
  // Whether the customer has an order in this distribution. If not, its print is not requested, because the browser would log the failed
  // request in its console (contract §10).
  const isPlaced = orders.data?.some((order) => order.distributionId === distributionId);
  const print = useRead(readOwnPrint, { distributionId }, { nullOn: 404, enabled: isPlaced === true });
  return (
    <CustomerPage>
      <PrintView
        read={isPlaced === true ? print : { ...orders, data: isPlaced === false && !orders.isFetching ? null : undefined }}
        back={() => ({ href: '/customer', label: BACK_TO_DASHBOARD })}
        title={titleOf}
      >
        {(print) => <PrintedOrder print={print} />}
      </PrintView>
    </CustomerPage>
  );
}

/** The page at /distributor/print-order/{id} and /agent/print-order/{id}, where {id} is the id of the order (spec §2). */
export function StaffPrintPage(): ReactNode {
  const { role } = useUser();
  const { id } = useParams<{ id: string }>();
  const read = useRead(readPrint, { id: idOf(id) }, { nullOn: 404 });
  const back = (print: PrintData | null): BackTarget => {
    if (print === null) return { href: `/${role}`, label: BACK_TO_DASHBOARD };
    const path = `/${role}/distribution/${print.distribution.id}`;
    return role === 'agent' ? { href: path, label: BACK_TO_ORDERS } : { href: `${path}?tab=customers`, label: BACK_TO_CUSTOMERS };
  };
  // Whether to show the Pay Now button: only the distributor takes payments on this page (contract §3). The button stays mounted while the
  // order is read again, so that its dialog stays open.
  const mayPay = role === 'distributor' && read.isFetchedAfterMount;
  return (
    <UserPage>
      <PrintView read={read} back={back} title={titleOf} actions={mayPay && read.data && <PrintPay print={read.data} />}>
        {(print) => <PrintedOrder print={print} />}
      </PrintView>
    </UserPage>
  );
}
