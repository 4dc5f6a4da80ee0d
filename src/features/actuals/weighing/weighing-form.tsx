import { useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'wouter';
import { isDataRefused } from '../../../client/api/fetch.ts';
import { goBack } from '../../../client/navigation/go-back.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { LeaveDialog } from '../../../client/ui/overlays/leave-dialog.tsx';
import { Form } from '../../../client/ui/forms/form.tsx';
import { Notice } from '../../../client/ui/feedback/notice.tsx';
import { useSave } from '../../../client/api/use-calls.ts';
import { leaveWithoutConfirmation } from '../../../client/navigation/use-leave-guard.ts';
import { PHONE, useMedia } from '../../../client/hooks/use-media.ts';
import { expectedCount, unweighedCount, weighedSubtotal } from '../../../domain/weights/actuals.ts';
import { homeOf } from '../../../domain/accounts/roles.ts';
import { useUser } from '../../auth/auth-provider.tsx';
import { DraftOffer } from '../../orders/shared/order-notices.tsx';
import { NO_CHANGES } from '../../orders/texts.ts';
import { saveActuals, type OrderForActuals } from '../contract.ts';
import { goneText, HOW_TO, fixFirstText, showNextText, WHY_NOT } from '../texts.ts';
import { isEmpty, openFieldsOf } from './field-keyboard-nav.ts';
import { UnconfirmedWeights } from './unconfirmed-weights.tsx';
import { fieldName } from './unit-field.tsx';
import { useRemoval } from './use-removal.ts';
import { UnitRows } from './unit-rows.tsx';
import { useScan } from './use-scan.ts';
import { useWeighing } from './use-weighing.ts';
import { needsDecision } from './weighing-state.ts';
import { sentWeights, unitsOf, weighedLines, type Unit } from './weights.ts';
import { WeighingBar } from './weighing-bar.tsx';

/**
 * The number of units that are shown at first, and that each click on the button for more units adds. With this limit the page stays fast
 * even if an order has a million units by mistake.
 */
const AT_ONCE = 1000;

interface WeighingFormProps {
  order: OrderForActuals;
  /** Loads the order again after the server has refused a save. */
  reload: () => void;
}

export function WeighingForm({ order, reload }: WeighingFormProps): ReactNode {
  const user = useUser();
  const isStaff = user.role !== 'customer';
  const isPhone = useMedia(PHONE);
  const [, navigate] = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState(AT_ONCE);
  const units = useMemo(() => unitsOf(order.products, user.role), [order.products, user.role]);
  const drawn = useMemo(() => units.first(shown), [units, shown]);
  const weighing = useWeighing({ userId: user.id, orderId: order.id, units });
  const { typed, confirmed, changed } = weighing;
  const lines = useMemo(() => weighedLines(order.products, units, confirmed), [order.products, units, confirmed]);
  const expected = expectedCount(lines);

  const hasOffer = order.whyNot === null && Object.keys(weighing.offer).length > 0;
  const firstEmpty = (): HTMLElement | undefined => openFieldsOf(form.current).find(isEmpty);
  const goOn = (answer: () => void): void => {
    flushSync(answer);
    (firstEmpty() ?? form.current?.querySelector<HTMLElement>('button[type="submit"]'))?.focus();
  };
  // Focuses the first empty field when the page opens, but not on phones, where the keyboard would hide the page. If an earlier draft is
  // offered, the first button of this offer gets the focus instead.
  const begin = useEffectEvent(() => {
    if (hasOffer) form.current?.querySelector<HTMLButtonElement>('section button')?.focus();
    else if (!isPhone) firstEmpty()?.focus();
  });
  useEffect(() => begin(), []);

  const { save, isSaving } = useSave(saveActuals, {
    // The save need not reload any data, because the next page loads its data itself.
    refresh: false,
    onSaved: ({ message }) => {
      weighing.forget();
      toast({ title: message });
    },
    leave: () => {
      leaveWithoutConfirmation();
      goBack('/');
    },
  });
  const removal = useRemoval(order.id);
  // The unit that prevented the last save. The user must first correct or confirm its weight.
  const [stopped, setStopped] = useState<Unit | null>(null);
  const show = (unit: Unit): void => {
    const above = units.positionOf(unit);
    if (above >= shown) flushSync(() => setShown(Math.ceil((above + 1) / AT_ONCE) * AT_ONCE));
    const field = document.getElementById(unit.key);
    field?.focus();
    // If the field already has the focus, `focus` does not scroll. The field is therefore scrolled into view explicitly.
    field?.parentElement?.parentElement?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = useScan(units, weighing, show);
  const submit = async (): Promise<void> => {
    const undecided = weighing.firstUndecided();
    if (undecided) {
      setStopped(undecided);
      return show(undecided);
    }
    setStopped(null);
    if (Object.keys(changed).length === 0) return void toast(NO_CHANGES);
    const saved = await save({ params: { orderId: order.id }, body: sentWeights(units, typed) });
    if (!saved.ok && isDataRefused(saved.error)) reload();
  };
  const cancel = (): void => {
    weighing.forget();
    leaveWithoutConfirmation();
    if (isStaff) goBack(homeOf(user.role));
    else navigate('/customer');
  };

  const gone = Object.entries(typed).filter(([key]) => units.find(key) === null);
  return (
    <Form ref={form} onKeyDownCapture={onKeyDown} onSubmit={submit}>
      {order.whyNot !== null && (
        <Notice title={WHY_NOT}>
          <p className="text-s">{order.whyNot}</p>
        </Notice>
      )}
      {hasOffer && (
        <DraftOffer
          count={Object.keys(weighing.offer).length}
          onRestore={() => goOn(weighing.restore)}
          onDiscard={() => goOn(weighing.discard)}
        />
      )}
      {gone.length > 0 && (
        <p role="alert" className="mb-5 font-semibold text-bad">
          {goneText(gone.map(([, { text }]) => text))}
        </p>
      )}
      {order.whyNot === null && <UnconfirmedWeights products={order.products} units={units} weighing={weighing} />}
      {order.whyNot === null && <p className="mb-4 max-w-prose text-s text-ink-soft">{HOW_TO}</p>}
      <Card isFlush className="mb-4">
        <UnitRows units={drawn} weighing={weighing} isReadOnly={order.whyNot !== null || isSaving} isStaff={isStaff} onRemove={removal} />
        {shown < units.count && (
          <div className="p-4">
            <Button onClick={() => setShown(shown + AT_ONCE)}>{showNextText(Math.min(AT_ONCE, units.count - shown))}</Button>
          </div>
        )}
      </Card>
      <WeighingBar
        weighed={expected - unweighedCount(lines)}
        expected={expected}
        amount={weighedSubtotal(lines)}
        unsaved={Object.keys(changed).length}
        problem={stopped && needsDecision(weighing.remarks.get(stopped.key) ?? null) ? fixFirstText(fieldName(stopped)) : ''}
        canSave={order.whyNot === null}
        isSaving={isSaving}
        onCancel={cancel}
      />
      <LeaveDialog isDirty={weighing.isDirty} />
    </Form>
  );
}
