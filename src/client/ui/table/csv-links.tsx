import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CsvColumn } from '../../../shared/csv/write-csv.ts';
import { writeCsv } from '../../../shared/csv/write-csv.ts';
import { download } from '../../api/download.ts';
import { buttonClass } from '../forms/button.tsx';
import type { TableModel } from './use-table.ts';
import { DOWNLOAD_FILTERED, DOWNLOAD_REPORT } from '../../texts.ts';

interface CsvLinksProps<Row> {
  label?: string;
  /** The file name without its extension. */
  fileName: string;
  columns: readonly CsvColumn<Row>[];
  /** `rows` are all rows of the file, normally those of a table. `shown` are the rows that match the filters. */
  table: Pick<TableModel<Row>, 'rows' | 'shown'>;
}

/**
 * Renders a link that saves all rows of a table as a CSV file. While a filter is active, a second link saves only the filtered rows
 * (contract §10).
 */
export function CsvLinks<Row>({ label = DOWNLOAD_REPORT, fileName, columns, table: { rows, shown } }: CsvLinksProps<Row>): ReactNode {
  const linkTo = (text: string, content: readonly Row[]): ReactNode => (
    <a
      href={`#${fileName}`}
      download={`${fileName}.csv`}
      className={buttonClass()}
      onClick={(event) => {
        // The file is created only now, on the click, because a report may have 12,000 rows.
        event.preventDefault();
        download(`${fileName}.csv`, writeCsv(columns, content));
      }}
    >
      <Download aria-hidden />
      {text}
    </a>
  );
  return (
    <>
      {linkTo(label, rows)}
      {shown.length < rows.length && shown.length > 0 && linkTo(DOWNLOAD_FILTERED, shown)}
    </>
  );
}
