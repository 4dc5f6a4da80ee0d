import type { Column } from '../../client/ui/table-column.ts';
import type { CsvColumn } from '../../shared/csv-write.ts';
import { numberText } from '../../shared/counted.ts';
import { listedAs } from '../users/texts.ts';
import type { ReportRow } from './contract.ts';
import { FoldedLines, Lines } from './packing-lines.tsx';
import { personOf, type PackingList } from './packing-lists.tsx';
import { Person } from './person.tsx';
import { groupText } from './supply-columns.tsx';

const productText = (row: ReportRow): string => `${row.productCode ?? ''} ${row.productName}`.trim();

const UNITS: Column<PackingList> = {
  id: 'units',
  header: 'Units',
  value: (list) => list.units,
  text: (list) => numberText(list.units),
  align: 'end',
  width: '6rem',
};

/** What is packed for whom. The list has the foot of a phone's card to itself. */
export const BY_CUSTOMER: readonly Column<PackingList>[] = [
  {
    id: 'customer',
    header: 'Customer',
    value: ({ head }) => listedAs(head),
    text: ({ head }) => `${personOf(head)} ${head.email}`,
    cell: ({ head }) => <Person name={personOf(head)} email={head.email} />,
    filter: 'text',
    card: 'title',
    width: '14rem',
  },
  { id: 'order', header: 'Order', value: ({ head }) => head.orderId, align: 'end', width: '6rem' },
  UNITS,
  {
    id: 'items',
    header: 'Items',
    value: ({ lines }) => lines.map(productText).join(', '),
    cell: ({ lines }) => <Lines lines={lines} text={productText} />,
    filter: 'text',
    isSortable: false,
    card: 'actions',
    width: '30rem',
  },
];

/** Who gets it of each product. */
export const BY_PRODUCT: readonly Column<PackingList>[] = [
  { id: 'code', header: 'Code', value: ({ head }) => head.productCode, filter: 'text', align: 'end', width: '6.5rem' },
  { id: 'product', header: 'Product', value: ({ head }) => head.productName, filter: 'text', card: 'title', width: '13rem' },
  UNITS,
  {
    id: 'customers',
    header: 'Customers',
    value: ({ lines }) => lines.map((row) => `${personOf(row)} ${row.email}`).join(', '),
    cell: ({ lines }) => <FoldedLines lines={lines} text={listedAs} />,
    filter: 'text',
    isSortable: false,
    card: 'actions',
    width: '30rem',
  },
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
