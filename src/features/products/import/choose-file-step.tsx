import type { ReactNode } from 'react';
import { download } from '../../../client/api/download.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { FileField, type FileFieldProps } from '../../../client/ui/forms/file-field.tsx';
import { templateCsv } from '../csv.ts';
import { DOWNLOAD_TEMPLATE } from '../../../client/texts.ts';
import { UPLOAD_HINT } from '../texts.ts';

export function ChooseFileStep(field: FileFieldProps): ReactNode {
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
