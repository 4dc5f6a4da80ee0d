import { useState, type ReactNode } from 'react';
import { useParams } from 'wouter';
import * as z from 'zod/mini';
import { ButtonLink } from '../../client/ui/forms/button.tsx';
import { EmptyState } from '../../client/ui/feedback/empty-state.tsx';
import { useRead } from '../../client/api/use-calls.ts';
import { UserPage } from '../auth/user-page.tsx';
import { BACK_TO_CUSTOMERS, BACK_TO_DASHBOARD } from '../distributions/texts.ts';
import { readChosenPrints, readPrints, type PrintData } from './contract.ts';
import { idOf, PrintView } from './print-view.tsx';
import { PrintedOrder } from './printed-order.tsx';
import { NOTHING_TO_PRINT, ordersCountText, ordersTitle, PICK_UP_PRINT } from './texts.ts';

const titleOf = ([first]: readonly PrintData[]): string => ordersTitle(first?.distribution.name);

const Chosen = z.object({ orders: z.array(z.int()) });

/**
 * Returns the ids of the orders that the user selected on the customers tab, which stored them in the history entry. Null means all orders.
 */
function chosenOrders(): number[] | null {
  const { data } = Chosen.safeParse(history.state);
  return data?.orders ?? null;
}

/**
 * The page at /distributor/distribution/{id}/print-orders. It prints all orders of a distribution, or the selected ones, in one document,
 * and begins each order on a new page.
 */
export function PrintOrdersPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const [orderIds] = useState(chosenOrders);
  const params = { id: idOf(id) };
  const all = useRead(readPrints, params, { nullOn: 404, enabled: orderIds === null });
  const chosen = useRead(readChosenPrints, params, { nullOn: 404, enabled: orderIds !== null, body: { orderIds: orderIds ?? [] } });
  const back = { href: `/distributor/distribution/${id}?tab=customers`, label: BACK_TO_CUSTOMERS };
  const dashboard = { href: '/distributor', label: BACK_TO_DASHBOARD };
  return (
    <UserPage>
      <PrintView
        read={orderIds === null ? all : chosen}
        back={(prints) => (prints === null ? dashboard : back)}
        title={titleOf}
        hasContent={(prints) => prints.length > 0}
        actions={<ButtonLink href={`/distributor/distribution/${id}/pick-up-print`}>{PICK_UP_PRINT}</ButtonLink>}
      >
        {(prints) => (
          <>
            <h1 className="no-print mb-6">{ordersCountText(prints.length)}</h1>
            {prints.length === 0 && <EmptyState picture="list" text={NOTHING_TO_PRINT} />}
            {prints.map((print) => (
              <PrintedOrder key={print.order.id} print={print} heading="h2" />
            ))}
          </>
        )}
      </PrintView>
    </UserPage>
  );
}
