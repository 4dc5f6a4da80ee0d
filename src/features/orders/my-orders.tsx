import { useId, type ReactNode } from 'react';
import { Card } from '../../client/ui/card.tsx';
import { Pill } from '../../client/ui/pill.tsx';
import { PHONE, useMedia } from '../../client/use-media.ts';
import { whyNotOrder } from '../../domain/distribution.ts';
import { dollars } from '../../domain/money.ts';
import { itemCount, quantitiesOf } from '../../domain/order.ts';
import { balanceText } from '../../domain/payment.ts';
import { shortDate } from '../../shared/dates.ts';
import { ENTER_QUANTITIES } from '../actuals/texts.ts';
import type { Distribution } from '../distributions/contract.ts';
import { DOWNLOAD_PRICESHEET, PRINT_ORDER } from '../print/texts.ts';
import type { OrderItem } from './contract.ts';
import { ActionLink, ActionMenu, type Action } from './distribution-actions.tsx';
import { EDIT_ORDER, itemsText, UNKNOWN_DISTRIBUTION } from './texts.ts';

function actionsOf(order: OrderItem, distribution: Distribution | undefined): Action[] {
  const closed = distribution ? whyNotOrder(distribution) : 'Ordering is closed';
  const blocked = closed === null ? null : { title: closed };
  return [
    ...(distribution?.acceptActuals ? [{ label: ENTER_QUANTITIES, href: `/customer/orders/${order.id}/actual-quantities` }] : []),
    { label: DOWNLOAD_PRICESHEET, href: `/customer/print-pricesheet/${order.distributionId}` },
    { label: PRINT_ORDER, href: `/customer/print-order/${order.distributionId}`, blocked },
    { label: EDIT_ORDER, href: `/customer/order/${order.distributionId}`, blocked },
  ];
}

export interface MyOrdersProps {
  orders: readonly OrderItem[];
  distributions: readonly Distribution[];
}

/** The customer's orders with items, amount, weights and balance (spec §2, contract §10). */
export function MyOrders({ orders, distributions }: MyOrdersProps): ReactNode {
  const byId = new Map(distributions.map((distribution) => [distribution.id, distribution]));
  return (
    <section aria-labelledby="my-orders">
      <h2 id="my-orders" className="mb-3">
        My Orders
      </h2>
      {orders.length === 0 && <p className="text-ink-soft">You have not ordered yet.</p>}
      <ul className="grid gap-4">
        {orders.map((order) => (
          <li key={order.id}>
            <OrderCard order={order} distribution={byId.get(order.distributionId)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OrderCard({ order, distribution }: { order: OrderItem; distribution: Distribution | undefined }): ReactNode {
  const isPhone = useMedia(PHONE);
  const heading = useId();
  const name = order.distributionName ?? UNKNOWN_DISTRIBUTION;
  const actions = actionsOf(order, distribution);
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
        <div className="min-w-0 flex-1 md:min-w-56">
          <h3 id={heading} className="figure text-l leading-tight">
            {name}
          </h3>
          <p className="mt-1 text-s text-ink-soft">
            {order.distributionDate !== null && `${shortDate(order.distributionDate)} · `}
            {itemsText(itemCount(quantitiesOf(order.products)))}
          </p>
        </div>
        {isPhone ? (
          <ActionMenu actions={actions} name={name} />
        ) : (
          <div className="ml-auto flex flex-wrap justify-end gap-2.5 lg:order-last">
            {actions.map((action) => (
              <ActionLink key={action.label} action={action} of={heading} />
            ))}
          </div>
        )}
        <Facts order={order} />
      </div>
    </Card>
  );
}

function Facts({ order: { expected_count, actual_count, orderAmount, balance } }: { order: OrderItem }): ReactNode {
  const isWeighed = actual_count === expected_count;
  return (
    <dl className="flex basis-full flex-wrap gap-x-6 gap-y-3 lg:basis-auto lg:gap-x-8 [&_dt]:text-xs [&_dt]:text-ink-soft">
      <div className="lg:min-w-32">
        <dt>Weighed</dt>
        <dd>
          <Pill tone={expected_count === 0 ? 'none' : isWeighed ? 'good' : 'wait'}>
            {expected_count === 0 ? 'None needed' : `${actual_count} of ${expected_count}`}
          </Pill>
        </dd>
      </div>
      <div className="lg:min-w-28">
        <dt>Amount</dt>
        <dd className="num">
          {dollars(orderAmount)}
          {!isWeighed && <span className="text-ink-soft"> est.</span>}
        </dd>
      </div>
      <div className="lg:min-w-28">
        <dt>Balance</dt>
        <dd className="num font-semibold">
          {balanceText(balance)}
          {!isWeighed && balance !== 0 && <span className="font-normal text-ink-soft"> est.</span>}
        </dd>
      </div>
    </dl>
  );
}
