import { memo, useCallback, useEffect, useEffectEvent, useId, useMemo, useRef, type ReactNode } from 'react';
import { Badge } from '../../../client/ui/feedback/badge.tsx';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { ConfirmDialog } from '../../../client/ui/overlays/confirm-dialog.tsx';
import { PHONE, useMedia } from '../../../client/hooks/use-media.ts';
import type { Role } from '../../../domain/accounts/roles.ts';
import { dollars, type Cents } from '../../../domain/money.ts';
import { mayPay } from '../../../domain/payment.ts';
import { withDetail } from '../../../domain/product-names.ts';
import { paymentTime } from '../../../shared/dates.ts';
import { isolated } from '../../../shared/isolated.ts';
import { sortNameOrEmail } from '../../../shared/person-name.ts';
import { UnitRows } from '../../actuals/weighing/unit-rows.tsx';
import { UnconfirmedWeights } from '../../actuals/weighing/unconfirmed-weights.tsx';
import { useScan } from '../../actuals/weighing/use-scan.ts';
import { typedUnits, unitsOf, type Unit } from '../../actuals/weighing/weights.ts';
import { NOTE } from '../../orders/texts.ts';
import type { CounterOrder } from '../contract.ts';
import type { CounterStore } from '../device/counter-store.ts';
import type { ChangeDue } from '../device/counter-view.ts';
import type { Write } from '../device/writes.ts';
import {
  ALSO_ORDERED,
  HAND_OVER,
  NEXT_FAMILY,
  NOT_PICKED_UP,
  NOTHING_ORDERED,
  NOTHING_TO_WEIGH,
  OPEN_STAYS,
  orderText,
  pickedUpText,
  SAME_NAME,
  TAKEN_BACK_STEP,
  timesText,
  UNITS_TO_WEIGH,
  WAITS,
} from '../texts.ts';
import { accountOf, orderTyped, productsToWeigh, usualIn, type Products } from './order-sums.ts';
import { isCancelled } from './find-families.ts';
import { MoneyCard } from '../money/money-card.tsx';
import { useFirstFocus } from './use-first-focus.ts';
import { useHandOver } from './use-hand-over.ts';
import { useKeptWeights } from './use-kept-weights.ts';
import { useRecording } from './use-recording.ts';
import { useScaleWeight, type OnScaleWeight } from '../scale/use-scale-weight.ts';

interface FamilyViewProps {
  /** The order as it will be after the queued writes. */
  order: CounterOrder;
  /** All orders as the server sent them, without the queued writes. */
  orders: ReadonlyMap<number, CounterOrder>;
  products: Products;
  store: CounterStore;
  mayTakePayments: boolean;
  role: Role;
  /** A hint that is shown with every payment, for example that no till is open. */
  paymentHint: ReactNode;
  isReachable: boolean;
  /** Whether another family has the same name. */
  isNameShared: boolean;
  /** Whether a write of this order still waits for a response of the server. */
  isWaiting: boolean;
  /** The change that this family gets back; null if there is none. */
  changeDue: ChangeDue | null;
  scaleButton: ReactNode;
  onScaleWeight: OnScaleWeight;
  /** Whether the order is only hidden, because the user searches another family. */
  isHidden: boolean;
  onDone: () => void;
}

/**
 * Shows one order: a weight field for each unit, the payment and the hand-over (contract §14). Memoized, so that changes of other orders
 * and of the states of queued writes do not render it again.
 */
export const FamilyView = memo(function FamilyView(props: FamilyViewProps): ReactNode {
  const { order, orders, products, store, mayTakePayments, role, paymentHint, isReachable, isWaiting } = props;
  const { changeDue, scaleButton, onScaleWeight, isNameShared, isHidden, onDone } = props;
  const formId = useId();
  const top = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const isPhone = useMedia(PHONE);
  const name = sortNameOrEmail(order);
  const ordered = order.lines.map(({ productId }) => productId).join();
  const usual = useMemo(() => usualIn(orders.values(), new Set(ordered.split(',').map(Number))), [orders, ordered]);
  const toWeigh = useMemo(() => productsToWeigh(order, products, usual), [order, products, usual]);
  const units = useMemo(() => unitsOf(toWeigh, 'distributor'), [toWeigh]);
  const shownUnits = useMemo(() => units.first(MAX_UNITS), [units]);
  const { weights, kept } = useKeptWeights(order.id, units);
  const account = useMemo(
    () => accountOf(orderTyped(order, units, weights.confirmed), products),
    [order, units, weights.confirmed, products],
  );
  const write = useCallback(
    (made: readonly Write[], what?: string, change: Cents | null = null): void => store.write(order.id, made, what, change),
    [store, order.id],
  );
  const record = useRecording(weights, write);
  // An unusual weight is stored as a draft until the user confirms it. It may have become usual since, because other weights were recorded.
  // It is then recorded without a confirmation.
  const recordKept = useEffectEvent(() => record({ act: 'check', units: typedUnits(units, kept) }));
  useEffect(() => recordKept(), []);
  const recording = { typed: weights.typed, remarks: weights.remarks, replaced: weights.replaced, dispatch: record };
  const onKeyDown = useScan(units, recording, (unit) => document.getElementById(unit.key)?.focus());
  useScaleWeight(onScaleWeight, form, units, recording);
  const remove = useCallback(
    (unit: Unit): void => {
      if (!unit.recorded) return;
      const { actualQuantity: was } = unit.recorded;
      const { index, product, isUnconfirmed: wasByCustomer } = unit;
      write([{ kind: 'remove-weight', orderProductId: product.orderProductId, index, was, wasByCustomer }]);
    },
    [write],
  );

  useFirstFocus({ top, form, formId, isPhone, isHidden });
  const { handOver, asking, answer, pay, noteRefusal } = useHandOver({ order, account, weights, write, onDone });
  const isServed = order.pickedUpAt !== null || isCancelled(order);
  const canPay = mayTakePayments && mayPay({ hasAllActuals: account.unweighed === 0, balance: account.balance });
  return (
    <div
      ref={top}
      className="-scroll-mt-3 grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_25rem]"
    >
      <div className="grid grid-cols-1 gap-4">
        <Card
          isFlush
          title={name}
          subtitle={[orderText(order.id), order.email, order.phone && isolated(order.phone), order.slot].filter(Boolean).join(' · ')}
          actions={
            <span className="flex flex-wrap items-center gap-2">
              {toWeigh.length > 0 && scaleButton}
              {isWaiting && <Badge tone="wait">{WAITS}</Badge>}
              {order.pickedUpAt !== null && <Badge tone="good">{pickedUpText(paymentTime(order.pickedUpAt))}</Badge>}
            </span>
          }
        >
          {isNameShared && <p className="border-b border-line bg-wait-soft px-4 py-3 text-s md:px-5">{SAME_NAME}</p>}
          {order.note !== null && (
            <dl className="max-h-40 overflow-y-auto border-b border-line bg-wait-soft px-4 py-3 text-s md:px-5">
              <dt className="font-medium">{NOTE}</dt>
              <dd className="wrap-anywhere whitespace-pre-line">{order.note}</dd>
            </dl>
          )}
          <form
            ref={form}
            id={formId}
            noValidate
            tabIndex={-1}
            className="outline-none"
            aria-label={UNITS_TO_WEIGH}
            onKeyDownCapture={onKeyDown}
            onSubmit={(event) => {
              event.preventDefault();
              handOver(null, null);
            }}
          >
            {toWeigh.length === 0 ? (
              <p className="px-4 py-5 text-ink-soft md:px-5">{isCancelled(order) ? NOTHING_ORDERED : NOTHING_TO_WEIGH}</p>
            ) : (
              <>
                <div className="px-4 pt-4 empty:hidden md:px-5">
                  <UnconfirmedWeights products={toWeigh} units={units} weighing={recording} />
                </div>
                <UnitRows units={shownUnits} weighing={recording} isReadOnly={false} isStaff onRemove={remove} />
              </>
            )}
          </form>
        </Card>
        <OtherLines order={order} products={products} />
      </div>
      <MoneyCard
        formId={formId}
        account={account}
        payments={order.payments}
        canPay={canPay}
        mayTakePayments={mayTakePayments}
        role={role}
        paymentHint={paymentHint}
        changeDue={changeDue}
        isReachable={isReachable}
        onPay={pay}
        onHandOver={handOver}
        onRefused={noteRefusal}
        isServed={isServed}
      >
        {isServed && <Served order={order} onDone={onDone} write={write} />}
      </MoneyCard>
      {asking !== null && (
        <ConfirmDialog title={asking} confirmLabel={HAND_OVER} onConfirm={() => answer(true)} onClose={() => answer(false)}>
          {OPEN_STAYS}
        </ConfirmDialog>
      )}
    </div>
  );
});

interface ServedProps extends Pick<FamilyViewProps, 'order' | 'onDone'> {
  write: (made: readonly Write[], what: string) => void;
}

function Served({ order, onDone, write }: ServedProps): ReactNode {
  return (
    <>
      <Button type="button" onClick={onDone} size="l" variant="main" className="w-full">
        {NEXT_FAMILY}
      </Button>
      {order.pickedUpAt !== null && (
        <Button variant="quiet" onClick={() => write([{ kind: 'picked-up', pickedUp: false }], TAKEN_BACK_STEP)}>
          {NOT_PICKED_UP}
        </Button>
      )}
    </>
  );
}

/** Lists the lines that are not weighed. A typed weight does not change them, so they are not rendered again with each key. */
const OtherLines = memo(function OtherLines({ order, products }: Pick<FamilyViewProps, 'order' | 'products'>): ReactNode {
  const lines = accountOf(order, products).lines.filter(({ line }) => !line.unit_qty_is_estimate);
  if (lines.length === 0) return null;
  return (
    <Card title={ALSO_ORDERED}>
      <ul className="grid gap-1.5">
        {lines.map(({ line, amount }) => (
          <li key={line.orderProductId} className="flex justify-between gap-4">
            <span>{timesText(line.quantity, withDetail(line.name, line.nameDetail))}</span>
            <span className="num text-ink-soft">{dollars(amount)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
});

/** The maximum number of weight fields shown, so that the screen stays fast if an order has a million units by mistake. */
const MAX_UNITS = 500;
