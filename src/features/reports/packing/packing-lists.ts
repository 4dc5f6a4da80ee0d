import { compareTexts } from '../../../shared/compare-texts.ts';
import { sortName, sortedByName } from '../../../shared/person-name.ts';
import type { ReportRow } from '../contract.ts';

export interface PackingList {
  key: string;
  /** The row whose customer or product is shown as the heading of the list. */
  head: ReportRow;
  units: number;
  lines: readonly ReportRow[];
}

type GroupOrder = readonly string[] | null;

/**
 * Returns a function that compares rows by product group, in the sequence of the distribution's `groupOrder`. Groups that are missing there
 * follow alphabetically, and products without a group come last.
 */
function byGroup(order: GroupOrder): (a: ReportRow, b: ReportRow) => number {
  if (!order) return () => 0;
  const positions = new Map(order.map((group, index) => [group, index]));
  const positionOf = ({ productCategory: group }: ReportRow): number =>
    group === null ? order.length + 1 : (positions.get(group) ?? order.length);
  return (a, b) => positionOf(a) - positionOf(b) || compareTexts(a.productCategory ?? '', b.productCategory ?? '');
}

const byCode = (a: ReportRow, b: ReportRow): number =>
  (a.productCode ?? Infinity) === (b.productCode ?? Infinity)
    ? compareTexts(a.productName, b.productName)
    : (a.productCode ?? Infinity) - (b.productCode ?? Infinity);

export const personOf = (row: ReportRow): string => sortName(row.firstName, row.lastName);

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

function byProduct(order: GroupOrder): (a: ReportRow, b: ReportRow) => number {
  const compareGroups = byGroup(order);
  return (a, b) => compareGroups(a, b) || byCode(a, b);
}

/**
 * Returns one list per customer, sorted by the customers' names. The lines of a list are sorted by the distribution's order of groups, if
 * it has one, and then by product code.
 */
export const listsByCustomer = (rows: readonly ReportRow[], order: GroupOrder): PackingList[] =>
  sortedByName(
    listsOf(
      rows,
      (row) => String(row.orderId),
      (own) => own.toSorted(byProduct(order)),
    ),
    ({ head }) => head,
  );

/**
 * Returns one list per product. The lists are sorted like the lines in `listsByCustomer`, and the customers in a list are sorted by name.
 */
export function listsByProduct(rows: readonly ReportRow[], order: GroupOrder): PackingList[] {
  const compare = byProduct(order);
  return listsOf(rows, productKey, (own) => sortedByName(own, (row) => row)).toSorted((a, b) => compare(a.head, b.head));
}

// Rows have no product id. Products that look the same on paper therefore share one packing list.
const productKey = (row: ReportRow): string => JSON.stringify([row.nameDetail, row.productCode, row.productName, row.productCategory]);
