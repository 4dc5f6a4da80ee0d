import type { ReactNode } from 'react';
import { download } from '../../client/download.ts';
import { Button } from '../../client/ui/button.tsx';
import { FileField, type FileFieldProps } from '../../client/ui/file-field.tsx';
import { templateCsv } from './csv.ts';

/** The first step: choose a file. */
export function UploadFile(field: FileFieldProps): ReactNode {
  return (
    <div className="grid gap-4">
      <FileField {...field} />
      <p className="text-s text-ink-soft">
        A file from Download CSV can be changed in a spreadsheet and uploaded again: a row updates the product of its id, or else of its
        product_code, and is new otherwise. Excel and Google Sheets files must be saved as CSV.
      </p>
      <div>
        <Button size="s" onClick={() => download('products-template.csv', templateCsv())}>
          Download template
        </Button>
      </div>
    </div>
  );
}
