import type { ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { Steps } from '../../../client/ui/feedback/step-indicator.tsx';
import { useFilePlan } from '../../../client/hooks/use-import-preview.ts';
import type { Distribution } from '../../distributions/contract.ts';
import type { Product } from '../contract.ts';
import { readProductsInSlices, type ProductsPlan } from '../csv.ts';
import { ProductImportProgress } from './import-progress.tsx';
import { isEnded, putAwayImport, useProductImport } from './product-import.ts';
import { UploadCheck } from './import-preview.tsx';
import { UploadFile } from './choose-file-step.tsx';
import { ONLY_A_HEADER, UPLOAD_PRODUCTS, UPLOAD_STEPS } from '../texts.ts';
import { DONE, IN_BACKGROUND } from '../../../client/texts.ts';

export interface UploadDialogProps {
  distribution: Distribution;
  products: readonly Product[];
  onClose: () => void;
}

/** File, check, save: nothing is written before the last step (design §2.4). Shown as long as it is rendered. */
export function UploadDialog({ distribution, products, onClose }: UploadDialogProps): ReactNode {
  const { id: distributionId } = distribution;
  const running = useProductImport(distributionId);
  const { plan, fileName, read, problem, choose, forget } = useFilePlan({
    read: (bytes, onProgress) => readProductsInSlices(bytes, products, onProgress),
    refusalOf: ({ refused, rows }: ProductsPlan) => refused ?? (rows.length === 0 ? ONLY_A_HEADER : null),
  });
  const close = (): void => {
    if (running && isEnded(running)) putAwayImport(distributionId);
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => open || close()} title={UPLOAD_PRODUCTS} size="l">
      <Steps steps={UPLOAD_STEPS} current={running ? 2 : plan ? 1 : 0} />
      {running ? (
        <ProductImportProgress
          distributionId={distributionId}
          shown={running}
          action={
            <Button variant={isEnded(running) ? 'main' : 'plain'} onClick={close}>
              {isEnded(running) ? DONE : IN_BACKGROUND}
            </Button>
          }
        />
      ) : plan ? (
        <UploadCheck distribution={distribution} isFirst={products.length === 0} fileName={fileName} plan={plan} onBack={forget} />
      ) : (
        <UploadFile read={read} problem={problem} onFile={(file) => void choose(file)} />
      )}
    </Dialog>
  );
}
