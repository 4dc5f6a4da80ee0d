import type { Column } from '../../../client/ui/table/table-column.ts';
import { sumOfTills, TILL_METHODS, totalOf, withoutFloat, type TillSums } from '../../../domain/counter/till.ts';
import { cents, dollars, negated, type Cents } from '../../../domain/money.ts';
import { paymentTime } from '../../../shared/dates.ts';
import type { Till, Tills } from '../contract.ts';
import {
  ALL_PAYMENTS,
  EXACT,
  IN_TILLS,
  METHODS,
  missingText,
  periodText,
  SUM_HEADERS,
  surplusText,
  TILL_HEADERS,
  TOGETHER,
  WITHOUT_TILL,
} from '../texts.ts';

/** A row with the sums of one payment method in a till. The last row has the sums of all methods. */
interface MethodRow {
  readonly method: string;
  readonly expected: Cents;
  readonly counted: Cents | null;
  readonly difference: Cents | null;
}

export function methodRows({ expected, counted, difference }: Till): MethodRow[] {
  const rows = TILL_METHODS.map((method) => ({
    method: METHODS[method],
    expected: expected[method],
    counted: counted && counted[method],
    difference: difference && difference[method],
  }));
  const together = {
    method: TOGETHER,
    expected: totalOf(expected),
    counted: counted && totalOf(counted),
    difference: difference && totalOf(difference),
  };
  return [...rows, together];
}

const NONE = '—';
const money = (amount: Cents | null): string => (amount === null ? NONE : dollars(amount));

export const METHOD_COLUMNS: readonly Column<MethodRow>[] = [
  { id: 'method', header: TILL_HEADERS.method, value: (row) => row.method, isSortable: false, card: 'title' },
  ...(['expected', 'counted', 'difference'] as const).map((id): Column<MethodRow> => ({
    id,
    header: TILL_HEADERS[id],
    value: (row) => row[id],
    text: (row) => money(row[id]),
    align: 'end',
    isSortable: false,
    card: 'figure',
  })),
];

/** Returns the text of a difference between a counted and an expected sum, such as '$0.50 missing'. */
export function differenceText(difference: Cents): string {
  if (difference === 0) return EXACT;
  return difference < 0 ? missingText(dollars(negated(difference))) : surplusText(dollars(difference));
}

export const totalDifferenceText = ({ difference }: Till): string => differenceText(difference === null ? cents(0) : totalOf(difference));

export const tillPeriod = ({ openedAt, closedAt }: Till): string =>
  periodText(paymentTime(openedAt), closedAt === null ? null : paymentTime(closedAt));

type SumRow = { readonly what: string } & TillSums;

/**
 * Returns the rows of the table of sums (contract §15): one for the payments in tills, one for the payments without a till, and one for all
 * payments with card fees.
 */
export function sumRows({ tills, withoutTill }: Tills): SumRow[] {
  if (withoutTill === null) return [];
  const inTills = sumOfTills(tills.map(({ expected, float }) => withoutFloat(expected, float)));
  return [
    { what: IN_TILLS, ...inTills },
    { what: WITHOUT_TILL, ...withoutTill.received },
    { what: ALL_PAYMENTS, ...sumOfTills([inTills, withoutTill.received]) },
  ];
}

export const SUM_COLUMNS: readonly Column<SumRow>[] = [
  { id: 'what', header: SUM_HEADERS.what, value: (row) => row.what, isSortable: false, card: 'title' },
  ...TILL_METHODS.map((id): Column<SumRow> => ({
    id,
    header: SUM_HEADERS[id],
    value: (row) => row[id],
    text: (row) => dollars(row[id]),
    align: 'end',
    isSortable: false,
    card: 'figure',
  })),
  {
    id: 'total',
    header: SUM_HEADERS.total,
    value: (row) => totalOf(row),
    text: (row) => dollars(totalOf(row)),
    align: 'end',
    isSortable: false,
    card: 'lead',
  },
];
