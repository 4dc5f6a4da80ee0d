import type { ReactNode } from 'react';
import { download } from '../../../client/api/download.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { FileField, type FileFieldProps } from '../../../client/ui/forms/file-field.tsx';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { StepIndicator } from '../../../client/ui/feedback/step-indicator.tsx';
import { useImportPreview } from '../../../client/hooks/use-import-preview.ts';
import type { Distribution } from '../../distributions/contract.ts';
import type { Product } from '../contract.ts';
import { readProductsInSlices, templateCsv, type ProductsPlan } from '../csv.ts';
import { LastProductUpload } from '../../uploads/last-upload.tsx';
import { ProductImportProgress } from './import-progress.tsx';
import { isEnded, dismissImport, useProductImport } from './product-import.ts';
import { ImportPreview } from './import-preview.tsx';
import { ONLY_A_HEADER, UPLOAD_HINT, UPLOAD_PRODUCTS, UPLOAD_STEPS } from './texts.ts';
import { DONE, DOWNLOAD_TEMPLATE, IN_BACKGROUND } from '../../../client/texts.ts';

interface ImportDialogProps {
  distribution: Distribution;
  products: readonly Product[];
  onClose: () => void;
}

/**
 * The import dialog with three steps: choose a file, preview, save. Nothing is written before the last step. The caller opens
 * it by rendering it.
 */
export function ImportDialog({ distribution, products, onClose }: ImportDialogProps): ReactNode {
  const { id: distributionId } = distribution;
  const running = useProductImport(distributionId);
  const { plan, fileName, field, forget } = useImportPreview({
    read: (bytes, onProgress) => readProductsInSlices(bytes, products, onProgress),
    refusalOf: ({ refused, rows }: ProductsPlan) => refused ?? (rows.length === 0 ? ONLY_A_HEADER : null),
  });
  const close = (): void => {
    if (running && isEnded(running)) dismissImport(distributionId);
    onClose();
  };
  return (
    <Dialog onClose={close} title={UPLOAD_PRODUCTS} size="l">
      <StepIndicator steps={UPLOAD_STEPS} current={running ? 2 : plan ? 1 : 0} />
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
        <ImportPreview distribution={distribution} isFirst={products.length === 0} fileName={fileName} plan={plan} onBack={forget} />
      ) : (
        <ChooseFileStep {...field} />
      )}
      {(running ? isEnded(running) : !plan) && <LastProductUpload distributionId={distributionId} onUndone={close} />}
    </Dialog>
  );
}

function ChooseFileStep(field: FileFieldProps): ReactNode {
  return (
    <div className="grid gap-4">
      <FileField {...field} />
      <p className="text-s text-ink-soft">{UPLOAD_HINT}</p>
      <div>
        <Button size="s" onClick={() => download('products-template.csv', templateCsv())}>
          {DOWNLOAD_TEMPLATE}
        </Button>
      </div>
    </div>
  );
}
