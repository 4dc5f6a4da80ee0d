import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { LazyPart } from '../../../client/lazy-part.tsx';
import { useRead } from '../../../client/api/use-calls.ts';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { Pending } from '../../../client/ui/feedback/pending.tsx';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { Badge } from '../../../client/ui/feedback/badge.tsx';
import { PHONE, useMedia } from '../../../client/hooks/use-media.ts';
import { blockedReasonOnDevice, printingBlockedReason, type Clock, type Flags } from '../../../domain/distribution.ts';
import { dollars } from '../../../domain/money.ts';
import { itemCount, quantitiesOf } from '../../../domain/order.ts';
import { balanceText } from '../../../domain/payment.ts';
import { shortDate } from '../../../shared/dates.ts';
import { pickUpTimeText } from '../../../shared/pick-up-time.ts';
import { ENTER_QUANTITIES } from '../../actuals/texts.ts';
import { OrderingTimes } from '../../distributions/ordering-times/ordering-times.tsx';
import type { Distribution } from '../../distributions/contract.ts';
import { DOWNLOAD_PRICESHEET, PRINT_ORDER } from '../../print/texts.ts';
import { listSlots } from '../../slots/contract.ts';
import { PICK_UP_TIME, SLOTS_NOT_LOADED } from '../../slots/texts.ts';
import type { OrderItem } from '../contract.ts';
import { ActionLink, ActionMenu, type Action } from './distribution-actions.tsx';
import { Estimated } from '../shared/estimated.tsx';
import {
  CLOSED,
  EDIT_ORDER,
  itemsText,
  MY_ORDERS_TITLE,
  NONE_TO_WEIGH,
  NOT_ORDERED_YET,
  NOTE,
  ORDER_FACTS,
  UNKNOWN_DISTRIBUTION,
  WHAT_WAS_ORDERED,
  weighedOfText,
} from '../texts.ts';

// The code of the statement is loaded when the user opens a statement for the first time, so that the dashboard's code stays small.
const OrderStatement = lazyScreen(async () => (await import('./order-statement.tsx')).OrderStatement);

const UNKNOWN = { published: false, orderingOpen: false, acceptActuals: false, opensAt: null };

/** Returns the links of an order. */
function actionsOf(order: OrderItem, now: string, flags: Flags & Pick<Clock, 'opensAt'> = UNKNOWN): Action[] {
  const blockedBy = (reason: string | null): { title: string } | null => (reason === null ? null : { title: reason });
  return [
    ...(flags.acceptActuals ? [{ label: ENTER_QUANTITIES, href: `/customer/orders/${order.id}/actual-quantities` }] : []),
    { label: DOWNLOAD_PRICESHEET, href: `/customer/print-pricesheet/${order.distributionId}` },
    { label: PRINT_ORDER, href: `/customer/print-order/${order.distributionId}`, blocked: blockedBy(printingBlockedReason(flags)) },
    {
      label: EDIT_ORDER,
      href: `/customer/order/${order.distributionId}`,
      blocked: blockedBy(blockedReasonOnDevice(flags, now)),
    },
  ];
}

interface MyOrdersProps {
  orders: readonly OrderItem[];
  distributions: readonly Distribution[];
  now: string;
}

/** Lists the customer's orders with their items, amounts, weights and balances (spec §2, contract §10). */
export function MyOrders({ orders, distributions, now }: MyOrdersProps): ReactNode {
  const byId = new Map(distributions.map((distribution) => [distribution.id, distribution]));
  return (
    <section aria-labelledby="my-orders">
      <h2 id="my-orders" className="mb-3">
        {MY_ORDERS_TITLE}
      </h2>
      {orders.length === 0 && <p className="text-ink-soft">{NOT_ORDERED_YET}</p>}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {orders.map((order) => (
          <li key={order.id}>
            <OrderCard order={order} distribution={byId.get(order.distributionId)} now={now} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OrderCard({ order, distribution, now }: { order: OrderItem; distribution: Distribution | undefined; now: string }): ReactNode {
  const isPhone = useMedia(PHONE);
  const heading = useId();
  const name = order.distributionName ?? UNKNOWN_DISTRIBUTION;
  const actions = actionsOf(order, now, distribution);
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-x-2 gap-y-4 md:gap-x-8">
        <div className="min-w-0 flex-1">
          <h3 id={heading} className="figure text-l leading-tight">
            {name}
          </h3>
          <p className="mt-1 flex flex-wrap items-center gap-x-2 text-s text-ink-soft">
            <span>
              {order.distributionDate !== null && `${shortDate(order.distributionDate)} · `}
              {itemsText(itemCount(quantitiesOf(order.products)))}
            </span>
            {distribution?.orderingOpen === false && <Badge tone="none">{CLOSED}</Badge>}
          </p>
          {distribution && (
            <p className="mt-1 text-s">
              <OrderingTimes distribution={distribution} now={now} />
            </p>
          )}
          {order.slotId !== undefined && (
            <PickUpTime distributionId={order.distributionId} slotId={order.slotId} timeZone={distribution?.timeZone ?? null} />
          )}
          {order.note !== undefined && <Detail label={NOTE}>{order.note}</Detail>}
        </div>
        {isPhone && (
          <div className="-me-2 -mt-2">
            <ActionMenu actions={actions} name={name} />
          </div>
        )}
        <Facts order={order} />
      </div>
      <Statement distributionId={order.distributionId} heading={heading} />
      {!isPhone && (
        <div className="mt-4 -mb-1 flex flex-wrap justify-end gap-2.5 border-t border-line pt-4">
          {actions.map((action) => (
            <ActionLink key={action.label} action={action} of={heading} />
          ))}
        </div>
      )}
    </Card>
  );
}

function PickUpTime({ distributionId, slotId, timeZone }: { distributionId: number; slotId: number; timeZone: string | null }): ReactNode {
  const slots = useRead(listSlots, { id: distributionId });
  // The line is shown before its text is loaded, so that the orders below do not move.
  const waiting = <Detail label={PICK_UP_TIME}>…</Detail>;
  if (!slots.data) return <Pending read={slots} waiting={waiting} errorTitle={SLOTS_NOT_LOADED} isInline />;
  const slot = slots.data.find(({ id }) => id === slotId);
  return slot && <Detail label={PICK_UP_TIME}>{pickUpTimeText(slot, timeZone)}</Detail>;
}

function Detail({ label, children }: { label: string; children: string }): ReactNode {
  return (
    <p className="mt-1 text-s wrap-anywhere whitespace-pre-line">
      <span className="text-ink-soft">{`${label}: `}</span>
      {children}
    </p>
  );
}

/** The data of the statement is loaded when the user opens it, so that the dashboard loads only what its cards show. */
function Statement({ distributionId, heading }: { distributionId: number; heading: string }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const content = useId();
  return (
    <div className="mt-3 border-t border-line pt-1">
      <Button
        variant="quiet"
        icon={<ChevronDown className={clsx(isOpen && 'rotate-180')} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={isOpen ? content : undefined}
        aria-describedby={heading}
        onClick={() => setIsOpen(!isOpen)}
        className="-ms-3"
      >
        {WHAT_WAS_ORDERED}
      </Button>
      {isOpen && (
        <div id={content}>
          <LazyPart>
            <OrderStatement distributionId={distributionId} />
          </LazyPart>
        </div>
      )}
    </div>
  );
}

function Facts({ order: { expected_count, actual_count, orderAmount, balance } }: { order: OrderItem }): ReactNode {
  const isWeighed = actual_count === expected_count;
  return (
    <dl className="grid basis-full grid-cols-[minmax(5.25rem,auto)_1fr_1fr] gap-x-3 max-[22.4rem]:flex max-[22.4rem]:flex-wrap max-[22.4rem]:gap-y-2 md:flex md:basis-auto md:gap-x-4 [&_dt]:text-xs [&_dt]:text-ink-soft">
      <div className="md:min-w-32">
        <dt>{ORDER_FACTS.weighed}</dt>
        <dd>
          <Badge tone={expected_count === 0 ? 'none' : isWeighed ? 'good' : 'wait'}>
            {expected_count === 0 ? NONE_TO_WEIGH : weighedOfText(actual_count, expected_count)}
          </Badge>
        </dd>
      </div>
      <div className="md:min-w-30 md:text-end">
        <dt className="md:pe-8">{ORDER_FACTS.amount}</dt>
        <dd className="num">
          {dollars(orderAmount)}
          <Estimated isShown={!isWeighed} />
        </dd>
      </div>
      <div className="md:min-w-30 md:text-end">
        <dt className="md:pe-8">{ORDER_FACTS.balance}</dt>
        <dd className="num font-semibold">
          {balanceText(balance)}
          <Estimated isShown={!isWeighed && balance !== 0} />
        </dd>
      </div>
    </dl>
  );
}
