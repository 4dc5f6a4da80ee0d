import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { CallError } from '../../client/fetch.ts';
import { goBack } from '../../client/go-back.ts';
import { toast } from '../../client/toast.tsx';
import { Button } from '../../client/ui/button.tsx';
import { Card } from '../../client/ui/card.tsx';
import { LeaveDialog } from '../../client/ui/leave-dialog.tsx';
import { useSave } from '../../client/use-calls.ts';
import { leaveFreely } from '../../client/use-leave-guard.ts';
import { PHONE, useMedia } from '../../client/use-media.ts';
import { expectedCount, unweighedCount, weighedSubtotal } from '../../domain/actuals.ts';
import { homeOf } from '../../domain/roles.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { DraftOffer, Notice } from '../orders/order-notices.tsx';
import { NO_CHANGES } from '../orders/texts.ts';
import { saveActuals, type OrderForActuals } from './contract.ts';
import { goneText, HOW_TO, WHY_NOT } from './texts.ts';
import { UnitRows } from './unit-rows.tsx';
import { useWeighing } from './use-weighing.tsx';
import { unitsOf, weighedLines } from './weights.tsx';
import { WeighingBar } from './weighing-bar.tsx';

/** So that an order of a million units by mistake opens as quickly as any. */
const AT_ONCE = 1000;

export interface WeighingFormProps {
  order: OrderForActuals;
  /** Reads the order anew after a refusal. */
  reload: () => void;
}

export function WeighingForm({ order, reload }: WeighingFormProps): ReactNode {
  const user = useUser();
  const isStaff = user.role !== 'customer';
  const isPhone = useMedia(PHONE);
  const [, navigate] = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState(AT_ONCE);
  const units = useMemo(() => unitsOf(order.products), [order.products]);
  const weighing = useWeighing({ userId: user.id, orderId: order.id, units });
  const { typed, changed } = weighing;
  const lines = useMemo(() => weighedLines(order.products, units, typed), [order.products, units, typed]);
  const expected = expectedCount(lines);

  // Whoever sits at the scale types at once; on a phone the keyboard would hide the page.
  useEffect(() => {
    if (isPhone) return;
    const fields = [...(form.current?.querySelectorAll<HTMLInputElement>('input:not(:read-only)') ?? [])];
    fields.find((field) => field.value === '')?.focus();
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the page opens
  }, []);

  const { save, isSaving } = useSave(saveActuals, {
    // The page that comes next reads anew.
    refresh: false,
    onSaved: ({ message }) => {
      weighing.forget();
      leaveFreely();
      toast({ title: message });
      goBack('/');
    },
  });
  const submit = async (): Promise<void> => {
    const open = weighing.firstOpen();
    if (open) return document.getElementById(open.key)?.focus();
    if (Object.keys(changed).length === 0) return void toast(NO_CHANGES);
    const saved = await save({ params: { orderId: order.id }, body: changed });
    if (!saved.ok && saved.error instanceof CallError && [400, 409].includes(saved.error.status)) reload();
  };
  const cancel = (): void => {
    weighing.forget();
    leaveFreely();
    if (isStaff) goBack(homeOf(user.role));
    else navigate('/customer');
  };

  const known = new Set(units.map((unit) => unit.key));
  const gone = Object.entries(typed).filter(([key]) => !known.has(key));
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {order.whyNot !== null && (
        <Notice title={WHY_NOT}>
          <p className="text-s">{order.whyNot}</p>
        </Notice>
      )}
      {order.whyNot === null && Object.keys(weighing.offer).length > 0 && (
        <DraftOffer count={Object.keys(weighing.offer).length} onRestore={weighing.restore} onDiscard={weighing.discard} />
      )}
      {gone.length > 0 && (
        <p role="alert" className="mb-5 font-semibold text-bad">
          {goneText(gone.map(([, text]) => text))}
        </p>
      )}
      {order.whyNot === null && <p className="mb-4 max-w-prose text-s text-ink-soft">{HOW_TO}</p>}
      <Card isFlush className="mb-4">
        <UnitRows units={units.slice(0, shown)} weighing={weighing} isReadOnly={order.whyNot !== null || isSaving} isStaff={isStaff} />
        {shown < units.length && (
          <div className="p-4">
            <Button onClick={() => setShown(shown + AT_ONCE)}>Show the next {Math.min(AT_ONCE, units.length - shown)}</Button>
          </div>
        )}
      </Card>
      <WeighingBar
        weighed={expected - unweighedCount(lines)}
        expected={expected}
        amount={weighedSubtotal(lines)}
        canSave={order.whyNot === null}
        isSaving={isSaving}
        onCancel={cancel}
      />
      <LeaveDialog isDirty={weighing.isDirty} />
    </form>
  );
}
