import { Badge } from '../../client/ui/feedback/badge.tsx';
import type { Column } from '../../client/ui/table/table-column.ts';
import { paymentTime } from '../../shared/dates.ts';
import type { AuditRow } from './contract.ts';
import { actorOf, changeText, itemOf, whoseOf } from './csv.ts';
import { HEADERS, KIND_LABELS, NONE } from './texts.ts';

/**
 * The columns cannot be sorted: the server sends the rows page by page with the newest rows first, so the client does not have all rows.
 */
export const AUDIT_COLUMNS: readonly Column<AuditRow>[] = [
  {
    id: 'at',
    header: HEADERS.at,
    value: (row) => row.at,
    cell: (row) => <span className="whitespace-nowrap">{paymentTime(row.at)}</span>,
    isSortable: false,
    width: '11rem',
  },
  {
    id: 'kind',
    header: HEADERS.kind,
    value: (row) => KIND_LABELS[row.kind],
    cell: (row) => <Badge tone="none">{KIND_LABELS[row.kind]}</Badge>,
    isSortable: false,
    width: '8rem',
  },
  { id: 'change', header: HEADERS.change, value: changeText, card: 'title', isSortable: false, width: '16rem' },
  {
    id: 'item',
    header: HEADERS.item,
    value: itemOf,
    text: (row) => itemOf(row) || NONE,
    isSortable: false,
    isFolded: true,
    width: '12rem',
  },
  { id: 'whose', header: HEADERS.whose, value: whoseOf, text: (row) => whoseOf(row) ?? NONE, isSortable: false, width: '11rem' },
  { id: 'by', header: HEADERS.by, value: actorOf, isSortable: false, isFolded: true, width: '15rem' },
];
