import { useState, type ReactNode } from 'react';
import { Button } from '../../client/ui/forms/button.tsx';
import { Dialog, DialogCancel, DialogFooter } from '../../client/ui/overlays/dialog.tsx';
import type { Fee } from './contract.ts';
import { FeeForm, type FeeBody } from './fee-form.tsx';
import { EDIT_FEE, UPDATE_FEE } from './texts.ts';

interface FeeDialogProps {
  fee: Fee;
  fees: readonly Fee[];
  /** Saves the changes; resolves to false if the save failed. */
  onSave: (body: FeeBody) => Promise<boolean>;
  onClose: () => void;
}

export function FeeDialog({ fee, fees, onSave, onClose }: FeeDialogProps): ReactNode {
  const [isDirty, setIsDirty] = useState(false);
  return (
    <Dialog onClose={onClose} title={EDIT_FEE} isDirty={isDirty}>
      <FeeForm
        fee={fee}
        fees={fees}
        onSave={onSave}
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
