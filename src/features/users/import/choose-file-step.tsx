import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { download } from '../../../client/api/download.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { CsvLinks } from '../../../client/ui/table/csv-links.tsx';
import { FileField, type FileFieldProps } from '../../../client/ui/forms/file-field.tsx';
import type { UserItem } from '../contract.ts';
import { CUSTOMER_FIELDS, CUSTOMERS_CSV, templateCsv } from '../csv.ts';
import { DOWNLOAD_TEMPLATE } from '../../../client/texts.ts';
import { DOWNLOAD_CUSTOMERS, FILE_RULES, NEEDED_COLUMN, OPTIONAL_COLUMNS } from '../texts.ts';

interface ChooseFileStepProps extends FileFieldProps {
  customers: readonly UserItem[];
  /** The customers who match the table's filter. */
  shown: readonly UserItem[];
}

export function ChooseFileStep({ customers, shown, ...field }: ChooseFileStepProps): ReactNode {
  const [email, ...others] = CUSTOMER_FIELDS;
  return (
    <div className="grid gap-4">
      <FileField {...field} />
      <dl className="grid gap-x-4 gap-y-1 text-s sm:grid-cols-[auto_1fr]">
        <dt className="text-ink-soft">{NEEDED_COLUMN}</dt>
        <dd translate="no" className="mb-1.5 font-semibold sm:mb-0">
          {email}
        </dd>
        <dt className="text-ink-soft">{OPTIONAL_COLUMNS}</dt>
        <dd translate="no" className="font-semibold">
          {others.join(', ')}
        </dd>
      </dl>
      <p className="text-s text-ink-soft">{FILE_RULES}</p>
      <div className="flex flex-wrap gap-2.5 *:grow md:*:grow-0">
        <Button icon={<Download aria-hidden />} onClick={() => download('customers-template.csv', templateCsv())}>
          {DOWNLOAD_TEMPLATE}
        </Button>
        {customers.length > 0 && (
          <CsvLinks label={DOWNLOAD_CUSTOMERS} fileName="customers" columns={CUSTOMERS_CSV} table={{ rows: customers, shown }} />
        )}
      </div>
    </div>
  );
}
