import { useState, type ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { StepIndicator } from '../../../client/ui/feedback/step-indicator.tsx';
import { useImportPreview } from '../../../client/hooks/use-import-preview.ts';
import { ImportPreview } from './import-preview.tsx';
import { ChooseFileStep } from './choose-file-step.tsx';
import type { UserItem } from '../contract.ts';
import { readCustomersInSlices, type CustomersPlan } from '../csv.ts';
import { dismissImport, useCustomerImport } from './customer-import.ts';
import { CustomerImportProgress } from './import-progress.tsx';
import { IN_BACKGROUND } from '../../../client/texts.ts';
import type { UndoneCustomers } from '../../uploads/contract.ts';
import { KeptCustomers, LastCustomerUpload } from '../../uploads/last-upload.tsx';
import { BULK_OPERATIONS, DONE, NO_ROWS, STEPS } from '../texts.ts';

export interface ImportDialogProps {
  customers: readonly UserItem[];
  /** The customers who match the table's filter. */
  shown: readonly UserItem[];
  onClose: () => void;
}

/**
 * The dialog has three steps: file, preview, import. Nothing is saved before the last step. The caller opens the dialog by
 * rendering it.
 */
export function ImportDialog({ customers, shown, onClose }: ImportDialogProps): ReactNode {
  const running = useCustomerImport();
  const { plan, fileName, field, forget } = useImportPreview({
    read: (bytes, onProgress) => readCustomersInSlices(bytes, customers, onProgress),
    refusalOf: ({ refused, rows }: CustomersPlan) => refused ?? (rows.length === 0 ? NO_ROWS : null),
  });
  const close = (): void => {
    if (running?.isEnded) dismissImport();
    onClose();
  };
  // After an upload is undone, the dialog lists the customers who were not removed. If all were removed, there is nothing to list, and the
  // dialog closes.
  const [undone, setUndone] = useState<UndoneCustomers | null>(null);
  const showUndone = (reply: UndoneCustomers): void => {
    if (reply.stayed === 0) return close();
    setUndone(reply);
    dismissImport();
    forget();
  };
  return (
    <Dialog onClose={close} title={BULK_OPERATIONS} size="l">
      <StepIndicator steps={STEPS} current={running ? 2 : plan ? 1 : 0} />
      {running ? (
        <CustomerImportProgress
          shown={running}
          action={
            <Button variant={running.isEnded ? 'main' : 'plain'} onClick={close}>
              {running.isEnded ? DONE : IN_BACKGROUND}
            </Button>
          }
        />
      ) : plan ? (
        <ImportPreview fileName={fileName} plan={plan} onBack={forget} />
      ) : (
        <ChooseFileStep customers={customers} shown={shown} {...field} />
      )}
      {!running && !plan && undone && <KeptCustomers {...undone} />}
      {(running ? running.isEnded : !plan) && <LastCustomerUpload onUndone={showUndone} />}
    </Dialog>
  );
}
