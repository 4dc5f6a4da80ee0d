// The columns of the CSV file with the estimates of a distribution (contract §13).
import { estimateError } from '../../domain/weights/estimates.ts';
import type { CsvColumn } from '../../shared/csv/write-csv.ts';
import { groupText } from '../products/texts.ts';
import type { Estimate } from './contract.ts';

/** Returns how far the estimate is from the mean weight, in percent of the mean; null while nothing is weighed. */
export const errorOf = ({ estimate, mean }: Estimate): number | null =>
  estimateError(estimate, mean === null ? null : Math.round(mean * 1000));

export const ESTIMATES_CSV: readonly CsvColumn<Estimate>[] = [
  { header: 'Code', value: (row) => row.product_code },
  { header: 'Product', value: (row) => row.name },
  { header: 'Group', value: (row) => groupText(row.product_group) },
  { header: 'Unit of measure', value: (row) => row.uom },
  { header: 'Estimate', value: (row) => row.estimate },
  { header: 'Mean', value: (row) => row.mean },
  { header: 'Off by percent', value: errorOf },
  { header: 'Spread', value: (row) => row.spread },
  { header: 'Weighed units', value: (row) => row.weighed },
  { header: 'Proposed', value: (row) => row.proposed },
];
