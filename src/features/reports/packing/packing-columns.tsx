import type { ReactNode } from 'react';
import type { Column } from '../../../client/ui/table/table-column.ts';
import { withDetail } from '../../../domain/product-names.ts';
import { numberText } from '../../../shared/counted.ts';
import { sortNameOrEmail } from '../../../shared/person-name.ts';
import { pickUpText } from '../../print/texts.ts';
import type { ReportRow } from '../contract.ts';
import { FoldedLines, Lines } from './packing-lines.tsx';
import { personOf, type PackingList } from './packing-lists.ts';
import { Person } from '../page/person.tsx';
import { PACKING_HEADERS } from '../texts.ts';

const nameOf = ({ productName, nameDetail }: ReportRow): string => withDetail(productName, nameDetail);
const productText = (row: ReportRow): string => `${row.productCode ?? ''} ${nameOf(row)}`.trim();

const UNITS: Column<PackingList> = {
  id: 'units',
  header: PACKING_HEADERS.units,
  value: (list) => list.units,
  text: (list) => numberText(list.units),
  align: 'end',
  width: '6rem',
};

/** Shows the customer of a packing list with the pick-up time and the note of the order (contract §16). */
function Packed({ head }: { head: ReportRow }): ReactNode {
  return (
    <>
      <Person name={personOf(head)} email={head.email} />
      {head.slot !== undefined && <b className="mt-1 block text-s font-semibold">{pickUpText(head.slot)}</b>}
      {head.note !== undefined && <span className="mt-1 block text-s font-normal wrap-anywhere whitespace-pre-line">{head.note}</span>}
    </>
  );
}

export const BY_CUSTOMER: readonly Column<PackingList>[] = [
  {
    id: 'customer',
    header: PACKING_HEADERS.customer,
    value: ({ head }) => sortNameOrEmail(head),
    text: ({ head }) => [personOf(head), head.email, head.slot, head.note].filter(Boolean).join(' '),
    cell: ({ head }) => <Packed head={head} />,
    filter: 'text',
    card: 'title',
    width: '14rem',
  },
  { id: 'order', header: PACKING_HEADERS.order, value: ({ head }) => head.orderId, align: 'end', width: '6rem' },
  UNITS,
  {
    id: 'items',
    header: PACKING_HEADERS.items,
    value: ({ lines }) => lines.map(productText).join(', '),
    cell: ({ lines }) => <Lines lines={lines} text={productText} />,
    filter: 'text',
    isSortable: false,
    card: 'actions',
    width: '30rem',
  },
];

export const BY_PRODUCT: readonly Column<PackingList>[] = [
  { id: 'code', header: PACKING_HEADERS.code, value: ({ head }) => head.productCode, filter: 'text', align: 'end', width: '6.5rem' },
  { id: 'product', header: PACKING_HEADERS.product, value: ({ head }) => nameOf(head), filter: 'text', card: 'title', width: '13rem' },
  UNITS,
  {
    id: 'customers',
    header: PACKING_HEADERS.customers,
    value: ({ lines }) => lines.map((row) => `${personOf(row)} ${row.email}`).join(', '),
    cell: ({ lines }) => <FoldedLines lines={lines} text={sortNameOrEmail} />,
    filter: 'text',
    isSortable: false,
    card: 'actions',
    width: '30rem',
  },
];
