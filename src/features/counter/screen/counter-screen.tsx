import { Activity, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { ProgressBar } from '../../../client/ui/feedback/progress-bar.tsx';
import { EmptyState } from '../../../client/ui/feedback/empty-state.tsx';
import { SearchField } from '../../../client/ui/forms/search-field.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { hasKeyboard } from '../../../client/hooks/use-media.ts';
import { useLayoutShiftGuard } from '../../../client/hooks/use-layout-shift-guard.ts';
import { useSingleClicks } from '../../../client/hooks/use-single-clicks.ts';
import { openDialog } from '../../../client/focus/open-dialog.ts';
import { dismissErrorOf, toast } from '../../../client/toasts/toast.ts';
import { sortNameOrEmail } from '../../../shared/person-name.ts';
import type { CounterOrder } from '../contract.ts';
import type { Snapshot } from '../device/counter-db.ts';
import type { CounterStore } from '../device/counter-store.ts';
import { isHandOver, isPaymentRefused, isPaymentSent, type CounterView } from '../device/counter-view.ts';
import { isWaiting } from '../device/writes.ts';
import {
  countsText,
  cancelledText,
  COUNTER,
  DIALOG_BEFORE_CODE,
  FIND_BY,
  FIND_FAMILY,
  JUST_MOVED,
  PRESSES,
  LOST_WEIGHT,
  noOrderText,
  START_HERE,
  UNDO,
  UNDO_HAND_OVER,
  UNKNOWN_CODE,
  UNSETTLED,
} from '../texts.ts';
import { NoTillHint } from '../../tills/no-till-hint.tsx';
import { OpenTillDialog } from '../../tills/page/open-till.tsx';
import { ChangeDueNote } from '../money/change-due.tsx';
import { useCounterScale } from '../scale/use-counter-scale.tsx';
import { ScanButton } from '../scanning/scan-button.tsx';
import { useScanner } from '../keys/use-scanner.ts';
import { productsIn } from './order-sums.ts';
import { FamilyList, listId, optionId } from './family-list.tsx';
import { FamilyView } from './family-view.tsx';
import { familiesOf, familiesWith, hasName, isCancelled, listedFamilies, type Family } from './find-families.ts';
import { UndoBar } from './undo-bar.tsx';
import { refuse, useFamilySearch } from './use-family-search.ts';
import { useUndo } from './use-undo.ts';

interface CounterScreenProps {
  store: CounterStore;
  view: CounterView & { readonly snapshot: Snapshot };
  /** The element in the bar at the top into which this component renders the opened family, the last step and its Undo button. */
  bar: HTMLElement | null;
  searchText: string;
  onSearchText: (text: string) => void;
  openOrder: number | null;
  /** Opens an order and empties the search, or closes the open order. */
  onOpenOrder: (orderId: number | null) => void;
  /** Opens the order whose last step was undone, unless another order is open. */
  onReopen: (orderId: number) => void;
}

const isReachable = ({ connection }: CounterView): boolean => connection === 'online';

const scanRefusals = {
  onLostWeight: () => refuse(LOST_WEIGHT),
  onUnsettled: () => refuse(UNSETTLED),
  onUnknown: () => refuse(UNKNOWN_CODE),
};

const refuseClick = (): void => void toast({ ...JUST_MOVED, variant: 'destructive', actionKey: PRESSES });

/** Focuses the search when the counter has opened, so that staff can type the first name at once. */
function useFocusAtStart(search: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    // While the families were loading, the user may have opened a menu or a dialog, which has the focus then.
    const isFocusFree = [null, document.body, document.querySelector('main')].includes(document.activeElement as HTMLElement | null);
    if (hasKeyboard() && isFocusFree) search.current?.focus();
  }, [search]);
}

/** Closes the open order if it is not listed any more: it was cancelled, or the money of the cancelled order was settled. */
function useCloseIfCancelled(
  openOrder: number | null,
  orders: ReadonlyMap<number, CounterOrder>,
  listed: CounterOrder | undefined,
  close: () => void,
): void {
  const shown = useRef<CounterOrder>(undefined);
  const cancelled = openOrder !== null && !listed && orders.has(openOrder) ? openOrder : null;
  const onCancelled = useEffectEvent((orderId: number) => {
    const wasKnown = shown.current?.id === orderId && isCancelled(shown.current);
    if (!wasKnown) toast({ title: cancelledText(orderId), variant: 'destructive', actionKey: `cancelled-${orderId}` });
    close();
  });
  useEffect(() => {
    if (cancelled === null) shown.current = listed;
    else onCancelled(cancelled);
  }, [cancelled, listed]);
}

export function CounterScreen(props: CounterScreenProps): ReactNode {
  const { store, view, bar, searchText: text, onSearchText: setText, openOrder, onOpenOrder, onReopen } = props;
  const { snapshot, orders, writes, changeDue } = view;
  const search = useRef<HTMLInputElement>(null);
  const { onScaleWeight, scaleButton, scaleNotice } = useCounterScale();
  const { paymentHint, tillDialog } = useTillHint(store, view);
  const products = useMemo(() => productsIn(snapshot.catalogue), [snapshot.catalogue]);
  const sorted = useMemo(() => familiesOf(orders.values()), [orders]);
  const families = useMemo(() => listedFamilies(familiesWith(sorted, writes), writes), [sorted, writes]);
  const opened = openOrder === null ? undefined : families.find((family) => family.order.id === openOrder);
  const order = opened?.order;
  useCloseIfCancelled(openOrder, orders, order, () => onOpenOrder(null));
  const isNameShared = families.some((family) => family !== opened && family.name === opened?.name);

  const find = useCallback((): void => {
    flushSync(() => onOpenOrder(null));
    search.current?.focus();
    search.current?.select();
  }, [onOpenOrder]);
  const open = useCallback(
    (orderId: number): void => {
      if (!families.some((family) => family.order.id === orderId))
        return void toast({ title: noOrderText(orderId), variant: 'destructive', actionKey: COUNTER });
      // A message that a text or a code was refused has served its purpose.
      dismissErrorOf(COUNTER);
      // The order may be open already, and only hidden by the search.
      if (orderId === openOrder) search.current?.blur();
      onOpenOrder(orderId);
    },
    [families, openOrder, onOpenOrder],
  );
  const { type, enter, onKeyDown, takeTyped, found, more, chosen } = useFamilySearch({
    search,
    families,
    openOrder,
    text,
    onText: setText,
    onOpen: open,
  });
  const openScanned = (orderId: number): void => {
    // The question before a hand-over would be closed with its payment, although nobody has answered it.
    if (openDialog() !== null) return refuse(DIALOG_BEFORE_CODE);
    // Leaving the focused weight field records its weight. An unusual weight is kept with its question.
    if (orders.has(orderId) && orderId !== openOrder) flushSync(() => (document.activeElement as HTMLElement | null)?.blur());
    open(orderId);
  };
  useScanner({
    search,
    onOrder: openScanned,
    ...scanRefusals,
    isFamily: (word) => hasName(families, word),
    onTyped: takeTyped,
  });
  useSingleClicks(false, refuseClick);
  useLayoutShiftGuard(refuseClick);
  useFocusAtStart(search);

  const undo = useUndo({ store, search, openOrder, text, onSearchText: setText, onReopen });
  const isSearching = text.trim() !== '';
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex gap-2.5">
        <div className="grow" onKeyDownCapture={onKeyDown}>
          <SearchField
            label={FIND_FAMILY}
            placeholder={FIND_BY}
            value={text}
            onValue={type}
            onEnter={enter}
            fieldRef={search}
            list={{ id: listId, isOpen: isSearching, chosen: chosen === undefined ? undefined : optionId(chosen) }}
          />
        </div>
        <ScanButton onOrder={open} />
      </div>
      {bar &&
        createPortal(
          <UndoBar
            step={view.lastStep}
            isRefused={view.lastStep !== null && isPaymentRefused(view.lastStep, view.writes)}
            opened={order && !isSearching ? { id: order.id, family: sortNameOrEmail(order) } : null}
            undoLabel={undoLabelOf(view)}
            onUndo={(isFocusLost) => void undo(isFocusLost)}
          />,
          bar,
        )}
      {changeDue && (isSearching || !order) && <ChangeDueNote due={changeDue} />}
      {scaleNotice}
      {isSearching && <FamilyList families={found} more={more} chosen={chosen} onOpen={open} />}
      {order ? (
        // While the user searches, the family is only hidden, so that the payment that is typed for it stays.
        <Activity mode={isSearching ? 'hidden' : 'visible'}>
          <FamilyView
            key={order.id}
            order={order}
            orders={orders}
            products={products}
            store={store}
            mayTakePayments={snapshot.viewer.mayTakePayments}
            role={snapshot.user.role}
            paymentHint={paymentHint}
            changeDue={changeDue?.orderId === order.id ? changeDue : null}
            isReachable={isReachable(view)}
            isNameShared={isNameShared}
            isWaiting={writes.some((queued) => queued.orderId === order.id && isWaiting(queued))}
            scaleButton={scaleButton}
            onScaleWeight={onScaleWeight}
            isHidden={isSearching}
            onDone={find}
          />
        </Activity>
      ) : (
        !isSearching && (
          <Card>
            <EmptyState picture="search" text={START_HERE} action={<Progress families={families} />} />
          </Card>
        )
      )}
      {tillDialog}
    </div>
  );
}

/**
 * Returns the dialog that opens a till, and the hint that is shown at each payment if the distribution has tills and the user has no open
 * one.
 */
function useTillHint(store: CounterStore, view: CounterScreenProps['view']) {
  const { viewer, distribution } = view.snapshot;
  const canOpen = isReachable(view);
  const [isOpening, setIsOpening] = useState(false);
  const close = useCallback(() => setIsOpening(false), []);
  const { needsTill } = viewer;
  const paymentHint = useMemo(
    () => (needsTill ? <NoTillHint isReachable={canOpen} onOpen={() => setIsOpening(true)} /> : null),
    [needsTill, canOpen],
  );
  const tillDialog = <OpenTillDialog distributionId={distribution.id} open={isOpening} onClose={close} onOpened={store.refresh} />;
  return { paymentHint, tillDialog };
}

/** Agents cannot reverse a payment that was sent. For them, Undo then reverts only the hand-over, and its label says so. */
function undoLabelOf({ lastStep, snapshot, writes }: CounterScreenProps['view']): string {
  const isPaymentKept = lastStep !== null && snapshot.user.role !== 'distributor' && isPaymentSent(lastStep, writes);
  return isPaymentKept && isHandOver(lastStep) ? UNDO_HAND_OVER : UNDO;
}

function Progress({ families }: { families: readonly Family[] }): ReactNode {
  const ordered = families.filter(({ order }) => !isCancelled(order));
  const pickedUp = ordered.filter(({ order }) => order.pickedUpAt !== null).length;
  const text = countsText({ pickedUp, all: ordered.length });
  return (
    <div className="w-full max-w-72">
      <p className="mb-1.5 text-s text-ink-soft">{text}</p>
      <ProgressBar label={text} value={pickedUp} max={ordered.length} tone="good" />
    </div>
  );
}
