import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { LazyPart } from '../../../client/lazy-part.tsx';
import { useLocation } from 'wouter';
import { isDataRefused } from '../../../client/api/fetch.ts';
import { CANCEL, TRY_AGAIN } from '../../../client/texts.ts';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { toast } from '../../../client/toasts/toast.ts';
import type { ToastContent } from '../../../client/toasts/toast-queue.ts';
import { Button, ButtonLink } from '../../../client/ui/forms/button.tsx';
import { TotalAnnouncer } from '../../../client/ui/feedback/total-announcer.tsx';
import { LeaveDialog } from '../../../client/ui/overlays/leave-dialog.tsx';
import { actionKeyOf, useRead, useSave } from '../../../client/api/use-calls.ts';
import { leaveWithoutConfirmation } from '../../../client/navigation/use-leave-guard.ts';
import { ONE_COLUMN, useMedia } from '../../../client/hooks/use-media.ts';
import { UNREAD_VALUE_MS, useUnread } from '../../../client/hooks/use-unread.ts';
import { blockedReasonOnDevice } from '../../../domain/distribution.ts';
import { hasAnything, itemCount, linesOf, ordersEstimates, orderTotals } from '../../../domain/order.ts';
import { needsSlot, raisesQuantity } from '../../../domain/ordering/limits.ts';
import { useUser } from '../../auth/auth-provider.tsx';
import type { Distribution } from '../../distributions/contract.ts';
import type { Fee } from '../../fees/contract.ts';
import type { Product } from '../../products/contract.ts';
import { listSlots } from '../../slots/contract.ts';
import { NEEDS_SLOT, SLOTS_LOADING, SLOTS_NOT_LOADED } from '../../slots/texts.ts';
import { placeOrder, type Order } from '../contract.ts';
import { OrderBar } from '../shared/order-bar.tsx';
import { ClosedNotice, DraftsOffer } from '../shared/order-notices.tsx';
import { OrderSums } from '../shared/order-sums.tsx';
import { ProductPicker } from './product-picker.tsx';
import {
  ASK_TO_CANCEL,
  ESTIMATE_NOTE,
  itemsText,
  NO_CHANGES,
  ORDER_PLACED,
  PLACE_ORDER,
  SUMS,
  totalText,
  UPDATE_ORDER,
  YOUR_ORDER,
} from '../texts.ts';
import { useOrderDraft } from '../shared/use-order-draft.ts';

// The code of this component is loaded only when somebody else has changed the order, so that the code of the order page stays small.
const ConflictNotice = lazyScreen(async () => (await import('../shared/conflict-notice.tsx')).ConflictNotice);
// The code of this component is loaded after the products, so that the code of the order page stays small.
const OrderDetails = lazyScreen(async () => (await import('../shared/order-details.tsx')).OrderDetails);

interface OrderFormProps {
  distribution: Distribution;
  /** The time by the server's clock. */
  now: string;
  products: readonly Product[];
  fees: readonly Fee[];
  order: Order | null;
  /** Reads everything again after the server has refused a save. Resolves to undefined when the order cannot be loaded. */
  reload: () => Promise<Order | null | undefined>;
}

const showErrorToast = (content: ToastContent): void =>
  void toast({ ...content, variant: 'destructive', actionKey: actionKeyOf(placeOrder) });

export function OrderForm({ distribution, now, products, fees, order, reload }: OrderFormProps): ReactNode {
  const isNarrow = useMedia(ONE_COLUMN);
  const [, navigate] = useLocation();
  const draft = useOrderDraft({ userId: useUser().id, draftKey: `order-${distribution.id}`, products, order, stopsAtLimits: true });
  const { editing, details } = draft;
  const { quantities, changes } = editing;
  const [slotMisses, setSlotMisses] = useState(0);
  // This hook sends no request, because OrderDetails reads the pick-up times.
  const slots = useRead(listSlots, { id: distribution.id }, { enabled: false });
  const closed = blockedReasonOnDevice(distribution, now);

  // Why ordering was closed when the form was opened, or null. If ordering closes later, the attempt to save shows its own message.
  const [closedOnLoad] = useState(closed);
  useEffect(() => {
    if (closedOnLoad !== null) showErrorToast({ title: closedOnLoad });
  }, [closedOnLoad]);

  const totals = useMemo(() => orderTotals(products, quantities, fees), [products, quantities, fees]);
  const items = itemCount(quantities);
  const hasEstimates = ordersEstimates(products, quantities);

  const { save, isSaving } = useSave(placeOrder, {
    // A save returns to the dashboard, which reads its data itself, so the save need not refresh any data.
    refresh: false,
    onSaved: () => {
      draft.forgetDraft();
      toast(ORDER_PLACED);
    },
    leave: () => {
      leaveWithoutConfirmation();
      navigate('/customer');
    },
  });
  const { isUnread, setUnread } = useUnread(undefined, UNREAD_VALUE_MS);
  const submit = async (): Promise<void> => {
    if (closed !== null) return showErrorToast({ title: closed });
    if (!draft.isChanged) return void toast(NO_CHANGES);
    const { slotId } = details;
    const lines = linesOf(quantities);
    const slotChange = { slotId, savedSlotId: order?.slotId ?? null, isRaised: raisesQuantity(lines, editing.loaded) };
    if (distribution.hasSlots && slotId === null && needsSlot(slotChange)) {
      // The field of the pick-up time shows the error and gets the focus. Until the pick-up times are loaded, there is no field.
      if (slots.data) return setSlotMisses((misses) => misses + 1);
      return showErrorToast({
        title: slots.error ? SLOTS_NOT_LOADED : SLOTS_LOADING,
        description: NEEDS_SLOT,
        action: slots.error ? { label: TRY_AGAIN, onClick: () => void slots.refetch() } : undefined,
      });
    }
    const body = { distributionId: distribution.id, products: lines, version: editing.version };
    const saved = await save({ body: { ...body, ...details.changed } });
    if (saved.ok || !isDataRefused(saved.error)) return;
    const fresh = await reload();
    if (fresh === undefined) return;
    draft.rebase(fresh);
    setUnread();
  };

  const isPlaced = order !== null && order.products.length > 0;
  const saveButton = (
    <Button
      variant="main"
      size="l"
      disabled={!hasAnything(quantities)}
      isLoading={isSaving}
      // After a refusal, the second of two quick presses must not replace what the customer has not read.
      onClick={({ timeStamp }) => isUnread(timeStamp) || void submit()}
      className="lg:grow"
    >
      {isPlaced ? UPDATE_ORDER : PLACE_ORDER}
    </Button>
  );

  return (
    <>
      {closed !== null && <ClosedNotice reason={closed} name={distribution.name} changes={changes} products={products} />}
      <div inert={isSaving}>
        <DraftsOffer of={[editing, details]} />
        {(editing.conflicts || details.conflicts.length > 0) && (
          <LazyPart>
            <ConflictNotice
              key={editing.version}
              distributionId={distribution.id}
              products={products}
              editing={editing}
              details={details}
            />
          </LazyPart>
        )}
      </div>
      <div className="items-start gap-6 pb-8 xl:gap-10 lg:grid lg:grid-cols-[minmax(0,1fr)_19rem] lg:pb-0 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0">
          <ProductPicker products={products} quantities={quantities} ordered={editing.loaded} onText={editing.type} isReadOnly={isSaving} />
        </div>
        <section
          aria-label={isNarrow ? SUMS : YOUR_ORDER}
          className="py-5 lg:sticky lg:top-[calc(var(--offline-height)+1.25rem)] lg:rounded-card lg:border lg:border-line lg:bg-card lg:p-5 lg:shadow-card"
        >
          <p className="mb-3 hidden font-semibold lg:block">{itemsText(items)}</p>
          <OrderSums fees={fees} totals={totals} />
          {/* The placeholder is about as high as the details, so that the buttons below do not move when the details appear. */}
          <LazyPart fallback={<div className={distribution.hasSlots ? 'h-58' : 'h-19'} />}>
            <OrderDetails distribution={distribution} order={order} editing={details} isReadOnly={isSaving} slotMisses={slotMisses} />
          </LazyPart>
          {products.some((product) => product.unit_qty_is_estimate) && <p className="mt-3 text-xs text-ink-soft">{ESTIMATE_NOTE}</p>}
          {isPlaced && !hasAnything(quantities) && <p className="mt-3 text-s">{ASK_TO_CANCEL}</p>}
          <div className="mt-4 flex gap-2.5">
            <ButtonLink href="/customer" size="l">
              {CANCEL}
            </ButtonLink>
            {!isNarrow && saveButton}
          </div>
        </section>
      </div>
      {isNarrow && <OrderBar items={items} hasEstimates={hasEstimates} save={saveButton} fees={fees} totals={totals} />}
      <TotalAnnouncer text={totalText(totals.total, items)} />
      <LeaveDialog isDirty={draft.isChanged} />
    </>
  );
}
