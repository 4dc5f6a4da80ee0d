// Defines the CSV file of the audit trail, and the text of each change in the file and the table.
import { withDetail } from '../../domain/product-names.ts';
import type { CsvColumn } from '../../shared/csv/write-csv.ts';
import { fileTime } from '../../shared/dates.ts';
import { sortNameOrEmail } from '../../shared/person-name.ts';
import { withUom } from '../actuals/texts.ts';
import { byText } from '../auth/texts.ts';
import { feeChangeText, termsChangeText } from '../catalogue/texts.ts';
import type { AuditRow } from './contract.ts';
import { actText, contactText, distributionText, fromToText, KIND_LABELS, NOTHING, orderText, paidText, weightText } from './texts.ts';

const weight = (value: number | null, uom: string | null): string => (value === null ? NOTHING : withUom(value, uom));

export function changeText({ kind, detail }: AuditRow): string {
  if (kind === 'quantity') return fromToText(String(detail.from), String(detail.to));
  if (kind === 'weight') return weightText(detail.unit, weight(detail.from, detail.uom), weight(detail.to, detail.uom));
  if (kind === 'price') return termsChangeText(detail.before, detail.after);
  if (kind === 'fee') return feeChangeText(detail.before, detail.after);
  if (kind === 'payment') return paidText(detail);
  if (kind === 'order') return orderText(detail.before, detail.after);
  if (kind === 'contact') return contactText(detail.before, detail.after);
  return kind === 'distribution' ? distributionText(detail.before, detail.after) : actText(detail);
}

export const itemOf = ({ productCode, item, nameDetail }: AuditRow): string =>
  [productCode, item && withDetail(item, nameDetail)].filter((part) => part !== null).join(' ');
/** Returns the user who made a change, with the role. If ordering was closed automatically, returns 'the clock', which has no role. */
export const actorOf = ({ by, byRole }: AuditRow): string => (byRole === null ? by : byText(by, byRole));
export const whoseOf = ({ person }: AuditRow): string | null => person && sortNameOrEmail(person);

export const AUDIT_CSV: readonly CsvColumn<AuditRow>[] = [
  { header: 'Time', value: (row) => fileTime(row.at) },
  { header: 'Email', value: (row) => row.by },
  { header: 'Role', value: (row) => row.byRole },
  { header: 'Kind', value: (row) => KIND_LABELS[row.kind] },
  { header: 'Code', value: (row) => row.productCode },
  { header: 'Item', value: (row) => row.item },
  { header: 'Order', value: (row) => row.orderId },
  { header: 'Whose', value: whoseOf },
  { header: 'Whose email', value: (row) => row.person?.email ?? null },
  { header: 'Change', value: changeText },
];
