// The customers report as a file (spec §9: distribution-customers-{id}-report).
import { minus, plainDollars } from '../../domain/money.ts';
import type { Cents } from '../../domain/money.ts';
import type { CsvColumn } from '../../shared/csv-write.ts';
import type { CustomerReportRow } from './contract.ts';

export const paidOf = (row: CustomerReportRow): Cents => minus(row.orderAmount, row.balance);

export const CUSTOMERS_CSV: readonly CsvColumn<CustomerReportRow>[] = [
  { header: 'Customer ID', value: (row) => row.customer_id },
  { header: 'Email', value: (row) => row.email },
  { header: 'First name', value: (row) => row.first_name },
  { header: 'Last name', value: (row) => row.last_name },
  { header: 'Order', value: (row) => row.order_id },
  { header: 'Items', value: (row) => row.order_quantity_count },
  { header: 'To weigh', value: (row) => row.expected_count },
  { header: 'Weighed', value: (row) => row.actual_count },
  { header: 'Amount', value: (row) => plainDollars(row.orderAmount) },
  { header: 'Paid', value: (row) => plainDollars(paidOf(row)) },
  { header: 'Balance', value: (row) => plainDollars(row.balance) },
];
