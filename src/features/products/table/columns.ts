// The columns of the editable products table. They define how a value is shown as text, and how typed or pasted text is parsed.
import * as z from 'zod/mini';
import { dollars, plainDollars, type Cents } from '../../../domain/money.ts';
import { priceOf, type Priced } from '../../../domain/order.ts';
import { parseBoolean } from '../../../shared/csv/parse-boolean.ts';
import type { Product, ProductFields } from '../contract.ts';
import { TypedFields } from '../edit/product-texts.ts';
import { BY_WEIGHT_RULE, COUNTED_FROM_ORDERS, NO, PRICE_IS_COMPUTED, TABLE_HEADERS, YES } from '../texts.ts';

/** The fields that the table can edit. The description is missing: it has several lines and is edited in the product's dialog. */
export type Field = Exclude<keyof ProductFields, 'description'>;
export type FieldValue = ProductFields[Field];

interface Shape {
  readonly header: string;
  /** The width in rem. The table scrolls sideways only if its columns do not fit. */
  readonly width: number;
  readonly isNumber?: true;
}
export type EditableColumn = Shape & { readonly field: Field; readonly inputMode?: 'decimal' | 'numeric' };
/** A column that cannot be edited; `reason` says why. */
type ComputedColumn = Shape & { readonly reason: string; readonly text: (product: Product & Priced) => string };
export type TableColumn = EditableColumn | ComputedColumn;

const H = TABLE_HEADERS;
const LIMIT: EditableColumn = { field: 'total_limit', header: H.total_limit, width: 5, isNumber: true, inputMode: 'numeric' };
const COLUMNS: readonly TableColumn[] = [
  { field: 'name', header: H.name, width: 12 },
  { field: 'product_code', header: H.product_code, width: 5, isNumber: true, inputMode: 'numeric' },
  { field: 'product_group', header: H.product_group, width: 7 },
  { field: 'unit_price', header: H.unit_price, width: 6.5, isNumber: true, inputMode: 'decimal' },
  { field: 'unit_qty', header: H.unit_qty, width: 5, isNumber: true, inputMode: 'numeric' },
  { field: 'uom', header: H.uom, width: 5.5 },
  { field: 'unit_qty_is_estimate', header: H.unit_qty_is_estimate, width: 5.5 },
  { header: H.price, width: 6.5, isNumber: true, reason: PRICE_IS_COMPUTED, text: (product) => dollars(priceOf(product)) },
  { field: 'max_order_qty', header: H.max_order_qty, width: 5, isNumber: true, inputMode: 'numeric' },
  LIMIT,
  { header: H.ordered, width: 5.5, isNumber: true, reason: COUNTED_FROM_ORDERS, text: (product) => String(product.total_ordered ?? 0) },
];
const COLUMNS_WITHOUT_LIMIT = COLUMNS.filter((column) => column !== LIMIT);

/**
 * Returns the columns in the sequence in which they are shown. The name is the first one, because it stays in view when the other columns
 * scroll. If no product has a limit, the column of the limits is left out (contract §12).
 */
export const columnsFor = ({ hasLimits }: { readonly hasLimits: boolean }): readonly TableColumn[] =>
  hasLimits ? COLUMNS : COLUMNS_WITHOUT_LIMIT;

export const isEditable = (column: TableColumn | undefined): column is EditableColumn => column !== undefined && 'field' in column;

/** Returns the text of a value in its cell. The cell is empty if there is no maximum (0). */
export function textOfValue(field: Field, value: FieldValue): string {
  if (typeof value === 'boolean') return value ? YES : NO;
  if (value === null || (field === 'max_order_qty' && value === 0)) return '';
  return field === 'unit_price' ? plainDollars(value as Cents) : String(value);
}

export type Parsed = { readonly ok: true; readonly value: FieldValue } | { readonly ok: false; readonly problem: string };

/**
 * Matches invisible characters that change the direction of text. The server removes them from all texts (server/http/json-body.ts). If the
 * table sent them, the stored value would differ from the typed one.
 */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Parses typed or pasted text by the same rules as the import of a file. `problem` is the error message. */
export function parseValue(field: Field, text: string): Parsed {
  if (field === 'unit_qty_is_estimate') {
    const value = parseBoolean(text);
    return value === null ? { ok: false, problem: BY_WEIGHT_RULE } : { ok: true, value };
  }
  const read = z.safeParse(TypedFields.shape[field], text.replace(DIRECTIONS, ''));
  return read.success ? { ok: true, value: read.data } : { ok: false, problem: read.error.issues[0]?.message ?? '' };
}
