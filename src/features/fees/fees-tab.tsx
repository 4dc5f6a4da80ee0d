import { useState, type ReactNode } from 'react';
import { toast } from '../../client/toasts/toast.ts';
import { UNDO_MS } from '../../client/toasts/toast-queue.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { Card } from '../../client/ui/layout/card.tsx';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { SkeletonForm, SkeletonList } from '../../client/ui/feedback/skeleton.tsx';
import { changedFields } from '../../client/api/changed-fields.ts';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import type { Repriced } from '../catalogue/contract.ts';
import { PriceChanges } from '../catalogue/price-changes.tsx';
import { RepriceDialog, useRepriceDialog } from '../catalogue/reprice-dialog.tsx';
import { repricedText } from '../catalogue/texts.ts';
import { addFee, changeFee, deleteFee, listFees, type Fee } from './contract.ts';
import { FeeDialog } from './fee-dialog.tsx';
import { FeeForm, type FeeBody } from './fee-form.tsx';
import { FeeList } from './fee-list.tsx';
import { FeeRulesNote } from './fee-rules-note.tsx';
import {
  ADD_A_FEE,
  ADD_FEE,
  addFeeText,
  DELETE_FEE,
  deleteFeeText,
  FEE_ADDED,
  FEE_DELETED,
  FEE_LOST,
  FEE_UPDATED,
  UPDATE_FEE,
  updateFeeText,
} from './texts.ts';
import { UNDO } from '../distributions/texts.ts';

/** The tab on which the distributor lists, adds, changes and deletes the fees of a distribution (spec §2). */
export function FeesTab({ distributionId: id }: { distributionId: number }): ReactNode {
  const fees = useRead(listFees, { id });
  const adding = useSave(addFee);
  const changing = useSave(changeFee);
  const deleting = useSave(deleteFee);
  const [edited, setEdited] = useState<Fee | null>(null);
  const question = useRepriceDialog(id);

  const saveNew = async ({ name, type, sort_order, amount }: FeeBody): Promise<boolean> => {
    const saved = await adding.save({ params: { id }, body: { name, type, sort_order, amount } });
    if (saved.ok) toast({ title: FEE_ADDED });
    return saved.ok;
  };
  const add = async (fee: FeeBody): Promise<boolean> =>
    (await question.mayChange({ newFees: [fee] }, { title: addFeeText(fee.name), confirmLabel: ADD_FEE })) && (await saveNew(fee));
  const change = async (fee: Fee, body: FeeBody): Promise<boolean> => {
    const changes = changesOf(fee, body);
    // The preview is based on the current fee, because another window may have changed the fee since the dialog was opened.
    const current = (await fees.refetch()).data?.find((other) => other.id === fee.id) ?? fee;
    const changed = { ...current, ...changes };
    const isRepriced = (['type', 'amount', 'sort_order'] as const).some((field) => current[field] !== changed[field]);
    const asking = { title: updateFeeText(fee.name), confirmLabel: UPDATE_FEE };
    if (isRepriced && !(await question.mayChange({ changedFees: [changed] }, asking))) return false;
    const saved = await changing.save({ params: { id, feeId: fee.id }, body: changes });
    if (!saved.ok) return false;
    toast({ title: FEE_UPDATED });
    setEdited(null);
    return true;
  };
  const mayDelete = async (fee: Fee, isLost: boolean): Promise<boolean> => {
    const change = { deletedFees: [fee.id] };
    const asking = { title: deleteFeeText(fee.name), confirmLabel: DELETE_FEE };
    if (!isLost) return await question.mayChange(change, asking);
    const repriced = await question.previewChange(change);
    return repriced !== null && (await question.ask({ ...asking, isDanger: true, text: lostText }, repriced));
  };
  const remove = async (fee: Fee): Promise<void> => {
    // While the list is being read again, the old list may lack a fee that was just added.
    const latest = fees.isFetching ? await fees.refetch() : fees;
    const isLost = losesItsPlace(fee, latest.data ?? []);
    if (!(await mayDelete(fee, isLost))) return;
    const saved = await deleting.save({ params: { id, feeId: fee.id } });
    if (!saved.ok) return;
    const undo = isLost ? {} : { duration: UNDO_MS, action: { label: UNDO, onClick: () => void saveNew(fee) } };
    toast({ title: FEE_DELETED, ...undo });
  };

  if (!fees.data) {
    const skeleton = (
      <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <SkeletonList rows={2} />
        <SkeletonForm fields={4} isCard />
      </div>
    );
    return <Pending read={fees} waiting={skeleton} />;
  }
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
      <div className="grid gap-4">
        <FeeRulesNote fees={fees.data} />
        <FeeList
          fees={fees.data}
          disabled={deleting.isSaving || question.isPreviewing}
          onEdit={setEdited}
          onDelete={(fee) => void remove(fee)}
          actions={<PriceChanges distributionId={id} />}
        />
      </div>
      <Card title={ADD_A_FEE}>
        <FeeForm
          fee={null}
          fees={fees.data}
          onSave={add}
          buttons={(isSaving) => (
            <Button type="submit" variant="main" isLoading={isSaving} className="md:justify-self-start">
              {ADD_FEE}
            </Button>
          )}
        />
      </Card>
      {edited && <FeeDialog fee={edited} fees={fees.data} onSave={(body) => change(edited, body)} onClose={() => setEdited(null)} />}
      <RepriceDialog question={question} />
    </div>
  );
}

/**
 * Returns the fields that the user changed. If the amount or the type has changed, both are sent, because the type decides whether the
 * amount is in cents or basis points.
 */
function changesOf(fee: Fee, body: FeeBody): Partial<FeeBody> {
  const isCharged = body.type !== fee.type || body.amount !== fee.amount;
  const isChanged = { name: body.name !== fee.name, type: isCharged, amount: isCharged, sort_order: body.sort_order !== fee.sort_order };
  return changedFields(body, isChanged);
}

const lostText = (repriced: Repriced): ReactNode => (
  <>
    <p>{repricedText(repriced)}</p>
    <p className="mt-2">{FEE_LOST}</p>
  </>
);

/**
 * Whether undoing the deletion of this fee would change totals. Undo creates the fee with a new id, and fees with the same sort order are
 * charged by id (contract §7). The fee would therefore be charged after fees that it preceded. This changes totals if one of them is a
 * percent fee.
 */
const losesItsPlace = (fee: Fee, fees: readonly Fee[]): boolean =>
  fees.some((other) => other.sort_order === fee.sort_order && other.id > fee.id && (other.type === 'percent' || fee.type === 'percent'));
