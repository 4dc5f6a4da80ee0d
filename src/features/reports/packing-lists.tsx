import { compareTexts } from '../../shared/compare-texts.ts';
import { listedName, sortedByName } from '../../shared/person-name.ts';
import type { ReportRow } from './contract.ts';

/** What one customer, or everybody of one product, gets. */
export interface PackingList {
  key: string;
  /** Of a customer's list the customer's row, of a product's the product's. */
  head: ReportRow;
  units: number;
  lines: readonly ReportRow[];
}

const byCode = (a: ReportRow, b: ReportRow): number =>
  (a.productCode ?? Infinity) === (b.productCode ?? Infinity)
    ? compareTexts(a.productName, b.productName)
    : (a.productCode ?? Infinity) - (b.productCode ?? Infinity);

export const personOf = (row: ReportRow): string => listedName(row.firstName, row.lastName);

function listsOf(
  rows: readonly ReportRow[],
  keyOf: (row: ReportRow) => string,
  sorted: (own: readonly ReportRow[]) => readonly ReportRow[],
): PackingList[] {
  return [...Map.groupBy(rows, keyOf)].flatMap(([key, own]) => {
    const lines = sorted(own);
    const [head] = lines;
    return head ? [{ key, head, units: own.reduce((units, row) => units + row.quantity, 0), lines }] : [];
  });
}

/** One list a customer, by name; what is in it by product code. */
export const listsByCustomer = (rows: readonly ReportRow[]): PackingList[] =>
  sortedByName(
    listsOf(
      rows,
      (row) => String(row.orderId),
      (own) => own.toSorted(byCode),
    ),
    ({ head }) => head,
  );

/** One list a product, by its code; who gets it by name. */
export const listsByProduct = (rows: readonly ReportRow[]): PackingList[] =>
  listsOf(rows, productKey, (own) => sortedByName(own, (row) => row)).toSorted((a, b) => byCode(a.head, b.head));

// A row has no id of its product: products that look the same on paper are one list.
const productKey = (row: ReportRow): string => JSON.stringify([row.nameDetail, row.productCode, row.productName, row.productCategory]);
