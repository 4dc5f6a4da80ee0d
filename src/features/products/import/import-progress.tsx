import type { ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { ImportProgress } from '../../../client/ui/feedback/import-progress.tsx';
import { cancelImport, downloadFailed, isEnded, type ProductImport } from './product-import.ts';
import { failedText, UPLOAD_CANCELLED, UPLOAD_COMPLETED } from '../texts.ts';
import { CANCEL_UPLOAD, savedText, SAVING_PRODUCTS } from './texts.ts';

interface ProductImportProgressProps {
  distributionId: number;
  shown: ProductImport;
  /** An additional button, which is shown beside Cancel while the import runs, and beside the download of failed rows afterwards. */
  action: ReactNode;
}

export function ProductImportProgress({ distributionId, shown, action }: ProductImportProgressProps): ReactNode {
  const { state, total, done, saved, failed } = shown;
  const title = failed.length === 0 ? UPLOAD_COMPLETED : failedText(failed.length, saved + failed.length);
  return (
    <ImportProgress
      label={SAVING_PRODUCTS}
      done={done}
      total={total}
      result={isEnded(shown) ? { title: state === 'cancelled' ? UPLOAD_CANCELLED : title, text: savedText(saved) } : null}
      failed={failed}
      onDownload={() => downloadFailed(failed)}
      action={action}
      cancel={
        <Button isLoading={state === 'cancelling'} onClick={() => cancelImport(distributionId)}>
          {CANCEL_UPLOAD}
        </Button>
      }
    />
  );
}
