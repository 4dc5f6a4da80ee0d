import { useState, type ReactNode } from 'react';
import { toast } from '../../client/toasts/toast.ts';
import { UNDO_MS } from '../../client/toasts/toast-queue.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { Card } from '../../client/ui/layout/card.tsx';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { SkeletonForm, SkeletonList } from '../../client/ui/feedback/skeleton.tsx';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import type { Repriced } from '../catalogue/contract.ts';
import { PriceChanges } from '../catalogue/price-changes.tsx';
import { RepriceDialog, useRepriceDialog } from '../catalogue/reprice-dialog.tsx';
import { repricedText } from '../catalogue/texts.ts';
import { addFee, changeFee, deleteFee, listFees, type Fee } from './contract.ts';
import { FEE_FIELDS, FeeDialog, type FeeChange } from './fee-dialog.tsx';
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
  const changing = useSave(changeFee, { refresh: 'always' });
  const deleting = useSave(deleteFee, { refresh: 'always' });
  const [edited, setEdited] = useState<Fee | null>(null);
  const question = useRepriceDialog(id);

  const saveNew = async ({ name, type, sort_order, amount }: FeeBody): Promise<boolean> => {
    const saved = await adding.save({ params: { id }, body: { name, type, sort_order, amount } });
    if (saved.ok) toast({ title: FEE_ADDED });
    return saved.ok;
  };
  const add = async (fee: FeeBody): Promise<boolean> =>
    (await question.mayChange({ newFees: [fee] }, { title: addFeeText(fee.name), confirmLabel: ADD_FEE })) && (await saveNew(fee));
  const change = async (fee: Fee, { before, ...changes }: FeeChange): Promise<Error | null> => {
    // The preview is based on the current fee, because another window may have changed the fee since the dialog was opened.
    const current = (await fees.refetch()).data?.find((other) => other.id === fee.id) ?? fee;
    const changed = { ...current, ...changes };
    const isRepriced = (['type', 'amount', 'sort_order'] as const).some((field) => current[field] !== changed[field]);
    // If somebody else has changed the same fields, nothing is asked, because the server will refuse the save.
    const isOutdated = FEE_FIELDS.some((field) => field in before && before[field] !== current[field]);
    const asking = { title: updateFeeText(fee.name), confirmLabel: UPDATE_FEE };
    if (isRepriced && !isOutdated && !(await question.mayChange({ changedFees: [changed] }, asking))) return null;
    const saved = await changing.save({ params: { id, feeId: fee.id }, body: { ...changes, before } });
    if (!saved.ok) return saved.error;
    toast({ title: FEE_UPDATED });
    setEdited(null);
    return null;
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
    // Undo adds the fee as it was deleted, which another window may have changed since this page read it.
    const deleted = (await fees.refetch()).data?.find((other) => other.id === fee.id) ?? fee;
    const saved = await deleting.save({ params: { id, feeId: fee.id } });
    if (!saved.ok) return;
    const undo = isLost ? {} : { duration: UNDO_MS, action: { label: UNDO, onClick: () => void saveNew(deleted) } };
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
      {edited && (
        <FeeDialog
          fee={fees.data.find(({ id }) => id === edited.id) ?? edited}
          fees={fees.data}
          onSave={(changes) => change(edited, changes)}
          onClose={() => setEdited(null)}
        />
      )}
      <RepriceDialog question={question} />
    </div>
  );
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
