import { useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import { backTo } from '../../../client/navigation/go-back.ts';
import { isDataRefused } from '../../../client/api/fetch.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { TotalAnnouncer } from '../../../client/ui/feedback/total-announcer.tsx';
import { LeaveDialog } from '../../../client/ui/overlays/leave-dialog.tsx';
import { useSave } from '../../../client/api/use-calls.ts';
import { leaveWithoutConfirmation } from '../../../client/navigation/use-leave-guard.ts';
import { UNREAD_VALUE_MS, useUnread } from '../../../client/hooks/use-unread.ts';
import { PHONE, useMedia } from '../../../client/hooks/use-media.ts';
import { cents } from '../../../domain/money.ts';
import { unconfirmedProblems } from '../../../domain/ordering/limits.ts';
import { hasAnything, itemCount, linesOf, ordersEstimates, orderTotals, quantitiesOf } from '../../../domain/order.ts';
import { areSameLosses, type Losses } from '../../../domain/weights/losses.ts';
import { shownProducts } from '../../../domain/ordering/withdrawn-products.ts';
import { useUser } from '../../auth/auth-provider.tsx';
import { placeCustomerOrder, type Order, type OrderPageData } from '../contract.ts';
import { EditOrderTable } from './edit-order-table.tsx';
import { OrderBar } from '../shared/order-bar.tsx';
import { ConflictNotice } from '../shared/conflict-notice.tsx';
import { DraftsOffer } from '../shared/order-notices.tsx';
import { OrderSums } from '../shared/order-sums.tsx';
import { ConfirmSaveDialog } from './confirm-save-dialog.tsx';
import { byWeight, droppedWeights, limitsExceededBy, lossesAfter } from './change-effects.ts';
import {
  byWeightText,
  ESTIMATE_NOTE,
  itemsText,
  KEYS_NOTE,
  linesAboveMaxText,
  NO_CHANGES,
  ORDER,
  ORDER_PLACED,
  ORDER_UPDATED,
  refundText,
  SUMS,
  totalText,
  UPDATE_ORDER,
} from '../texts.ts';
import { OrderDetails } from '../shared/order-details.tsx';
import { useOrderDraft } from '../shared/use-order-draft.ts';
import { CANCEL } from '../../../client/texts.ts';

const orderIn = ({ order, orderProducts }: OrderPageData): Order | null =>
  order && { ...order, products: orderProducts.filter((line) => line.quantity > 0) };

/** Returns a handler that saves once when Ctrl+S is pressed. */
const onSaveKey =
  (save: (event: KeyboardEvent) => void) =>
  (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!event.repeat) save(event);
  };

const ignoreRepeat = (event: KeyboardEvent): void => void (event.repeat && event.key === 'Enter' && event.preventDefault());

/** Whether the save would now lose something else than the user saw. */
const losesMore = (now: Losses, seen: Losses): boolean => !areSameLosses(now, seen) && (now.weights.length > 0 || now.refund > 0);

interface EditOrderFormProps {
  data: OrderPageData;
  customer: string;
  /** The path of the list from which the user opened this page, and to which a save returns. */
  list: string;
  /** Reads everything again after the server has refused a save. Resolves to undefined if reading fails. */
  reload: () => Promise<OrderPageData | undefined>;
}

/** The form with which staff edit a customer's order, also after ordering has closed (spec §2, contract §5). */
export function EditOrderForm({ data, customer, list, reload }: EditOrderFormProps): ReactNode {
  const { distribution, fees, contact, order } = data;
  const products = useMemo(() => shownProducts(data.distributionProducts, quantitiesOf(data.orderProducts)), [data]);
  const isPhone = useMedia(PHONE);
  const [isAsking, setIsAsking] = useState(false);
  const draftKey = `order-${distribution.id}-${contact.userId}`;
  const draft = useOrderDraft({ userId: useUser().id, draftKey, products, order: orderIn(data) });
  const { editing, details } = draft;
  const { quantities, changes } = editing;
  const customerQuantities = useMemo(
    () => quantitiesOf(data.orderProducts.map((line) => ({ ...line, quantity: line.originalQuantity }))),
    [data.orderProducts],
  );
  const totals = useMemo(() => orderTotals(products, quantities, fees), [products, quantities, fees]);
  const beyond = useMemo(() => limitsExceededBy(data, quantities), [data, quantities]);
  const dropped = useMemo(() => droppedWeights(data, quantities), [data, quantities]);
  const losses = useMemo(() => lossesAfter(data, quantities), [data, quantities]);
  const refund = changes.length > 0 ? losses.refund : cents(0);
  const weighed = byWeight(data);
  const items = itemCount(quantities);
  const hasEstimates = ordersEstimates(products, quantities);

  const aboveMax = products.filter(({ id, max_order_qty: max }) => max > 0 && (quantities.get(id) ?? 0) > max).length;

  const { save, isSaving } = useSave(placeCustomerOrder, {
    // A save returns to the list, which reads its data itself, so the save need not refresh any data.
    refresh: false,
    onSaved: () => {
      draft.forgetDraft();
      toast(hasAnything(editing.loaded) ? ORDER_UPDATED : ORDER_PLACED);
    },
    leave: () => {
      leaveWithoutConfirmation();
      backTo(list);
    },
  });
  const { isUnread, setUnread } = useUnread(undefined, UNREAD_VALUE_MS);
  const submit = async (): Promise<void> => {
    const order = { customerId: contact.userId, distributionId: distribution.id, products: linesOf(quantities), version: editing.version };
    const confirmed = beyond.map(({ productId }) => productId);
    const saved = await save({ body: { ...order, ...details.changed, losses, ...(beyond.length > 0 ? { beyondLimits: confirmed } : {}) } });
    if (saved.ok || !isDataRefused(saved.error)) return;
    const now = await reload();
    if (now === undefined) return;
    // If the order exceeds another limit that was reached in the meantime, the user is asked about that limit, too, and also about weights
    // and payments that were recorded in the meantime. If somebody else has changed the order, the user sees that change first.
    const isUnchanged = (now.order?.version ?? 0) === editing.version;
    const isBeyond = unconfirmedProblems(limitsExceededBy(now, quantities), confirmed).length > 0;
    if (isUnchanged && (isBeyond || (changes.length > 0 && losesMore(lossesAfter(now, quantities), losses)))) setIsAsking(true);
    draft.rebase(orderIn(now));
    setUnread();
  };
  const isSavable = order !== null || hasAnything(quantities);
  // After a refusal, neither the second of two quick presses nor a key that is held down must replace what the user has not read.
  const update = ({ timeStamp }: { timeStamp: number }): void => {
    if (!isSavable || isSaving || isAsking || isUnread(timeStamp)) return;
    if (!draft.isChanged) toast(NO_CHANGES);
    else if (hasAnything(quantities) && dropped.length === 0 && beyond.length === 0) void submit();
    else setIsAsking(true);
  };
  const saveButton = (
    <Button
      variant="main"
      size="l"
      disabled={!isSavable}
      isLoading={isSaving}
      onKeyDown={ignoreRepeat}
      onClick={update}
      className="lg:grow"
    >
      {UPDATE_ORDER}
    </Button>
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Ctrl+S is a shortcut for the save button
    <div onKeyDown={onSaveKey(update)}>
      <div inert={isSaving}>
        <DraftsOffer of={[editing, details]} />
        {(editing.conflicts || details.conflicts.length > 0) && (
          <ConflictNotice key={editing.version} distributionId={distribution.id} products={products} editing={editing} details={details} />
        )}
      </div>
      <div className="items-start gap-6 lg:grid lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="min-w-0">
          <EditOrderTable products={products} customerQuantities={customerQuantities} editing={editing} isReadOnly={isSaving} />
          <p className="mt-3 hidden text-xs text-ink-soft md:block">{KEYS_NOTE}</p>
        </div>
        <section
          aria-label={isPhone ? SUMS : ORDER}
          className="py-5 md:mt-6 md:rounded-card md:border md:border-line md:bg-card md:p-5 md:shadow-card lg:sticky lg:top-[calc(var(--offline-height)+1.25rem)] lg:mt-0"
        >
          <p className="mb-3 hidden font-semibold md:block">{itemsText(items)}</p>
          <OrderSums fees={fees} totals={totals} isQuiet={isPhone} />
          <OrderDetails distribution={distribution} order={order} editing={details} isReadOnly={isSaving} isStaff />
          {weighed !== null && <p className="mt-3 text-s font-semibold">{byWeightText(weighed)}</p>}
          {refund > 0 && <p className="mt-3 text-s font-semibold text-wait">{refundText(refund)}</p>}
          {hasEstimates && <p className="mt-3 text-xs text-ink-soft">{ESTIMATE_NOTE}</p>}
          {aboveMax > 0 && <p className="mt-3 text-s text-bad">{linesAboveMaxText(aboveMax)}</p>}
          <div className="mt-4 flex gap-2.5 md:justify-end">
            <Button size="l" onClick={() => backTo(list)}>
              {CANCEL}
            </Button>
            {!isPhone && saveButton}
          </div>
        </section>
      </div>
      {isPhone && <OrderBar items={items} hasEstimates={hasEstimates} save={saveButton} fees={fees} totals={totals} />}
      <TotalAnnouncer text={totalText(totals.total, items)} />
      <LeaveDialog isDirty={draft.isChanged} />
      {isAsking && (
        <ConfirmSaveDialog
          customer={customer}
          loaded={editing.loaded}
          isCancelling={!hasAnything(quantities)}
          dropped={dropped}
          beyond={beyond}
          refund={refund}
          onConfirm={() => void submit()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}
