// Writes the reports as CSV files (spec §9: distribution-{id}-report, distribution-customers-{id}-report; contract §9).
import { minus, plainDollars, type Cents } from '../../domain/money.ts';
import type { CsvColumn } from '../../shared/csv/write-csv.ts';
import type { PaymentTotals } from '../../domain/payment-totals.ts';
import { weightSumNumber, type PurchaseGroup, type PurchaseItem, type PurchaseWeight } from '../../domain/purchase-list.ts';
import type { Product } from '../products/contract.ts';
import { groupText } from '../products/texts.ts';
import { fileTime } from '../../shared/dates.ts';
import type { CustomerReportRow, ReportRow } from './contract.ts';
import { ESTIMATE, FINAL } from './texts.ts';

/**
 * Whether staff have marked any order of the distribution as picked up. If they have marked none, no screen mentions pick-ups (contract
 * §14).
 */
export const isPickUpUsed = (rows: readonly CustomerReportRow[]): boolean => rows.some((row) => row.pickedUpAt !== undefined);

export const paidOf = (row: CustomerReportRow): Cents => minus(row.orderAmount, row.balance);

const CUSTOMERS_CSV: readonly CsvColumn<CustomerReportRow>[] = [
  { header: 'Customer ID', value: (row) => row.customer_id },
  { header: 'Email', value: (row) => row.email },
  { header: 'First name', value: (row) => row.first_name },
  { header: 'Last name', value: (row) => row.last_name },
  { header: 'Phone', value: (row) => row.phone },
  { header: 'Order', value: (row) => row.order_id },
  { header: 'Items', value: (row) => row.order_quantity_count },
  { header: 'To weigh', value: (row) => row.expected_count },
  { header: 'Weighed', value: (row) => row.actual_count },
  { header: 'Amount', value: (row) => plainDollars(row.orderAmount) },
  { header: 'Paid', value: (row) => plainDollars(paidOf(row)) },
  { header: 'Balance', value: (row) => plainDollars(row.balance) },
];

const PICKED_UP_CSV: CsvColumn<CustomerReportRow> = {
  header: 'Picked up',
  value: (row) => (row.pickedUpAt === undefined ? null : fileTime(row.pickedUpAt)),
};

interface Detailed {
  readonly slot?: string | undefined;
  readonly note?: string | undefined;
}
export const hasSlot = (rows: readonly Detailed[]): boolean => rows.some((row) => row.slot !== undefined);
export const hasNote = (rows: readonly Detailed[]): boolean => rows.some((row) => row.note !== undefined);

/** Adds a column for the pick-up time if any order has a pick-up time, and a column for the note if any order has a note (contract §16). */
export const withDetailsCsv = <Row extends Detailed>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): CsvColumn<Row>[] => [
  ...columns,
  ...(hasSlot(rows) ? [{ header: 'Pick-up time', value: (row: Row) => row.slot ?? null }] : []),
  ...(hasNote(rows) ? [{ header: 'Note', value: (row: Row) => row.note ?? null }] : []),
];

/**
 * Returns the columns of the customers file. The file has a pick-up column only if staff have marked an order of the distribution as picked
 * up (contract §14).
 */
export const customersCsv = (rows: readonly CustomerReportRow[]): CsvColumn<CustomerReportRow>[] =>
  withDetailsCsv(isPickUpUsed(rows) ? [...CUSTOMERS_CSV, PICKED_UP_CSV] : CUSTOMERS_CSV, rows);

export const LINES_CSV: readonly CsvColumn<ReportRow>[] = [
  { header: 'Email', value: (row) => row.email },
  { header: 'First name', value: (row) => row.firstName },
  { header: 'Last name', value: (row) => row.lastName },
  { header: 'Order', value: (row) => row.orderId },
  { header: 'Product', value: (row) => row.productName },
  { header: 'Category', value: (row) => row.productCategory },
  { header: 'Code', value: (row) => row.productCode },
  { header: 'Quantity', value: (row) => row.quantity },
];

const fileWeight = (thousandths: number | undefined): string | null => (thousandths === undefined ? null : weightSumNumber(thousandths));

export const PURCHASE_LIST_CSV: readonly CsvColumn<PurchaseItem<Product>>[] = [
  { header: 'Code', value: (row) => row.product.product_code },
  { header: 'Product', value: (row) => row.product.name },
  { header: 'Group', value: (row) => groupText(row.product.product_group) },
  { header: 'Quantity per unit', value: (row) => row.product.unit_qty },
  { header: 'Unit of measure', value: (row) => row.product.uom },
  { header: 'Units', value: (row) => row.units },
  { header: 'Estimated weight', value: (row) => fileWeight(row.weight?.estimated) },
  { header: 'Weighed units', value: (row) => (row.weight ? row.weighedUnits : null) },
  { header: 'Weight so far', value: (row) => fileWeight(row.weight?.weighed) },
];

type GroupWeight = PurchaseGroup & { readonly weight: PurchaseWeight | null };

/** Returns one row per unit of measure of a group, so that every column of weights contains only numbers. */
export const groupWeights = (row: PurchaseGroup): GroupWeight[] =>
  row.weights.length === 0 ? [{ ...row, weight: null }] : row.weights.map((weight) => ({ ...row, weight }));

export const GROUPS_CSV: readonly CsvColumn<GroupWeight>[] = [
  { header: 'Group', value: (row) => groupText(row.group) },
  { header: 'Products', value: (row) => row.products },
  { header: 'Units', value: (row) => row.units },
  { header: 'Unit of measure', value: (row) => row.weight?.uom ?? null },
  { header: 'Estimated weight', value: (row) => fileWeight(row.weight?.estimated) },
  { header: 'Weight so far', value: (row) => fileWeight(row.weight?.weighed) },
];

const PRODUCT_CSV: readonly CsvColumn<ReportRow>[] = [
  { header: 'Code', value: (row) => row.productCode },
  { header: 'Product', value: (row) => row.productName },
  { header: 'Group', value: (row) => groupText(row.productCategory) },
];

const PERSON_CSV: readonly CsvColumn<ReportRow>[] = [
  { header: 'Last name', value: (row) => row.lastName },
  { header: 'First name', value: (row) => row.firstName },
  { header: 'Email', value: (row) => row.email },
  { header: 'Order', value: (row) => row.orderId },
];

const QUANTITY_CSV: CsvColumn<ReportRow> = { header: 'Units', value: (row) => row.quantity };

export const BY_CUSTOMER_CSV = [...PERSON_CSV, ...PRODUCT_CSV, QUANTITY_CSV];
export const BY_PRODUCT_CSV = [...PRODUCT_CSV, ...PERSON_CSV, QUANTITY_CSV];

// These columns form the CSV file with payments received and balances due.
export const PAYMENT_TOTALS_CSV: readonly CsvColumn<PaymentTotals>[] = [
  { header: 'Method', value: (row) => row.paymentMethod },
  { header: 'Payments', value: (row) => row.payments },
  { header: 'Taken', value: (row) => plainDollars(row.taken) },
  { header: 'Reversed', value: (row) => plainDollars(row.reversed) },
  { header: 'Paid on orders', value: (row) => plainDollars(row.amount) },
  { header: 'Card fees', value: (row) => plainDollars(row.feeAmount) },
  { header: 'Received', value: (row) => plainDollars(row.received) },
];

export const OPEN_BALANCES_CSV: readonly CsvColumn<CustomerReportRow>[] = [
  { header: 'Last name', value: (row) => row.last_name },
  { header: 'First name', value: (row) => row.first_name },
  { header: 'Email', value: (row) => row.email },
  { header: 'Order', value: (row) => row.order_id },
  { header: 'Amount is', value: (row) => (row.has_all_actuals ? FINAL : ESTIMATE) },
  { header: 'Amount', value: (row) => plainDollars(row.orderAmount) },
  { header: 'Paid', value: (row) => plainDollars(paidOf(row)) },
  { header: 'Balance', value: (row) => plainDollars(row.balance) },
];
