import type { ReactNode } from 'react';
import { Button } from '../../client/ui/button.tsx';
import { Dialog } from '../../client/ui/dialog.tsx';
import { Steps } from '../../client/ui/steps.tsx';
import { useFilePlan } from '../../client/use-file-plan.ts';
import { BulkCheck } from './bulk-check.tsx';
import { BulkFile } from './bulk-file.tsx';
import type { UserItem } from './contract.ts';
import { readCustomersInSlices, type CustomersPlan } from './csv.ts';
import { putAwayImport, useCustomerImport } from './customer-import.tsx';
import { CustomerImportProgress } from './import-progress.tsx';

export interface BulkDialogProps {
  customers: readonly UserItem[];
  /** Those that the table's filter shows. */
  shown: readonly UserItem[];
  onClose: () => void;
}

/** File, check, import: nothing is written before the last step (design §2.4). Shown as long as it is rendered. */
export function BulkDialog({ customers, shown, onClose }: BulkDialogProps): ReactNode {
  const running = useCustomerImport();
  const { plan, fileName, read, problem, choose, forget } = useFilePlan({
    read: (bytes, onProgress) => readCustomersInSlices(bytes, customers, onProgress),
    refusalOf: ({ refused, rows }: CustomersPlan) =>
      refused ?? (rows.length === 0 ? 'This file has no customers, only a header row.' : null),
  });
  const close = (): void => {
    if (running?.isEnded) putAwayImport();
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => open || close()} title="Bulk Operations" size="l">
      <Steps steps={['File', 'Check', 'Import']} current={running ? 2 : plan ? 1 : 0} />
      {running ? (
        <CustomerImportProgress
          shown={running}
          action={
            <Button variant={running.isEnded ? 'main' : 'plain'} onClick={close}>
              {running.isEnded ? 'Done' : 'Continue in the background'}
            </Button>
          }
        />
      ) : plan ? (
        <BulkCheck fileName={fileName} plan={plan} onBack={forget} />
      ) : (
        <BulkFile customers={customers} shown={shown} read={read} problem={problem} onFile={(file) => void choose(file)} />
      )}
    </Dialog>
  );
}
