import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CsvColumn } from '../../../shared/csv/write-csv.ts';
import { writeCsv } from '../../../shared/csv/write-csv.ts';
import { download } from '../../api/download.ts';
import { buttonClass } from '../forms/button.tsx';
import { DOWNLOAD_FILTERED, DOWNLOAD_REPORT } from '../../texts.ts';

export interface CsvLinksProps<Row> {
  label?: string;
  /** The file name without its extension. */
  fileName: string;
  columns: readonly CsvColumn<Row>[];
  /** All rows of the report, and the currently filtered rows. */
  rows: readonly Row[];
  shown: readonly Row[];
}

/** The CSV link of a table; with an active filter, a second link for the filtered rows (contract §10). */
export function CsvLinks<Row>({ label = DOWNLOAD_REPORT, fileName, columns, rows, shown }: CsvLinksProps<Row>): ReactNode {
  const linkTo = (text: string, content: readonly Row[]): ReactNode => (
    <a
      href={`#${fileName}`}
      download={`${fileName}.csv`}
      className={buttonClass()}
      onClick={(event) => {
        // The link creates the file only on a click, because a report may have 12,000 rows.
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
