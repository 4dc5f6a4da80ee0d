import { useState, type ReactNode } from 'react';
import { usePreviousValues } from '../../client/previous-values/use-previous-values.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { Dialog, DialogCancel, DialogFooter } from '../../client/ui/overlays/dialog.tsx';
import { feeText } from '../../domain/fees.ts';
import { replacesAnyText, replacesText } from '../../client/previous-values/texts.ts';
import type { Fee } from './contract.ts';
import { FeeForm, type FeeBody } from './fee-form.tsx';
import { EDIT_FEE, TYPE_LABELS, UPDATE_FEE } from './texts.ts';

export const FEE_FIELDS = ['name', 'type', 'sort_order', 'amount'] as const satisfies readonly (keyof FeeBody)[];
/** The changed fields of a fee, with their previous values. */
export type FeeChange = Partial<FeeBody> & { readonly before: Partial<Fee> };

interface FeeDialogProps {
  /** The fee as it is saved now. The dialog keeps the values with which it was opened. */
  fee: Fee;
  fees: readonly Fee[];
  /** Saves the changes; resolves to the error if the save failed. */
  onSave: (changes: FeeChange) => Promise<Error | null>;
  onClose: () => void;
}

export function FeeDialog({ fee, fees, onSave, onClose }: FeeDialogProps): ReactNode {
  const [isDirty, setIsDirty] = useState(false);
  const { opened, withBefore, onRefused, savedMeanwhile, isUnread } = usePreviousValues(fee);
  const savedType = savedMeanwhile('type');
  const isPriceReplaced = savedType !== undefined || savedMeanwhile('amount') !== undefined;
  const save = async (body: FeeBody): Promise<boolean> => {
    const error = await onSave(withBefore(body, changesOf(opened, body)));
    if (error) onRefused(error);
    return error === null;
  };
  return (
    <Dialog onClose={onClose} title={EDIT_FEE} isDirty={isDirty}>
      <FeeForm
        fee={opened}
        fees={fees}
        replaced={{
          name: replacesAnyText(savedMeanwhile('name')),
          type: replacesAnyText(savedType && TYPE_LABELS[savedType]),
          amount: isPriceReplaced ? replacesText(feeText(fee)) : undefined,
          sort_order: replacesAnyText(savedMeanwhile('sort_order')),
        }}
        isUnread={isUnread}
        onSave={save}
        onDirty={setIsDirty}
        buttons={(isSaving) => (
          <DialogFooter>
            <DialogCancel />
            <Button type="submit" variant="main" disabled={!isDirty} isLoading={isSaving}>
              {UPDATE_FEE}
            </Button>
          </DialogFooter>
        )}
      />
    </Dialog>
  );
}

/**
 * Returns which fields the user changed. If the amount or the type has changed, both are saved, because the type decides whether the amount
 * is in cents or basis points.
 */
function changesOf(fee: Fee, body: FeeBody): Record<keyof FeeBody, boolean> {
  const isCharged = body.type !== fee.type || body.amount !== fee.amount;
  return { name: body.name !== fee.name, type: isCharged, amount: isCharged, sort_order: body.sort_order !== fee.sort_order };
}
