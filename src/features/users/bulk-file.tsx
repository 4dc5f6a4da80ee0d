import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { download } from '../../client/download.ts';
import { Button } from '../../client/ui/button.tsx';
import { CsvLinks } from '../../client/ui/csv-links.tsx';
import { FileField, type FileFieldProps } from '../../client/ui/file-field.tsx';
import type { UserItem } from './contract.ts';
import { CUSTOMER_FIELDS, CUSTOMERS_CSV, templateCsv } from './csv.ts';

export interface BulkFileProps extends FileFieldProps {
  customers: readonly UserItem[];
  /** Those that the table's filter shows. */
  shown: readonly UserItem[];
}

/** The first step: choose a file, or take one away. */
export function BulkFile({ customers, shown, ...field }: BulkFileProps): ReactNode {
  const [email, ...others] = CUSTOMER_FIELDS;
  return (
    <div className="grid gap-4">
      <FileField {...field} />
      <p className="text-s text-ink-soft">
        The file needs the column <Column name={email} />. Optional columns:{' '}
        {others.map((name, place) => (
          <span key={name}>
            {place > 0 && ', '}
            <Column name={name} />
          </span>
        ))}
        . Rows without an e-mail address, and customers you have already, are dropped. Excel and Google Sheets files must be saved as CSV.
      </p>
      <div className="flex flex-wrap gap-2.5">
        <Button icon={<Download aria-hidden />} onClick={() => download('customers-template.csv', templateCsv())}>
          Download template
        </Button>
        {customers.length > 0 && (
          <CsvLinks label="Download Customers" fileName="customers" columns={CUSTOMERS_CSV} rows={customers} shown={shown} />
        )}
      </div>
    </div>
  );
}

const Column = ({ name }: { name: string | undefined }): ReactNode => <strong className="font-semibold text-ink">{name}</strong>;
