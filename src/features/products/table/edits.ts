// The unsaved changes of the products table: what was typed into which cell, and the value that it is based on.
import type { Priced } from '../../../domain/order.ts';
import { isAffordable, MOST_PRODUCTS, type BasedChange, type Product } from '../contract.ts';
import { PRICE_TOO_LARGE } from '../texts.ts';
import { parseValue, type Field, type FieldValue, type Parsed } from './columns.ts';

export interface Edit {
  readonly text: string;
  readonly parsed: Parsed;
  /** The product's value when it was typed. */
  readonly base: FieldValue;
}
export interface RowEdits {
  /** The product's name when it was first changed: it may be deleted meanwhile. */
  readonly name: string;
  readonly fields: Readonly<Partial<Record<Field, Edit>>>;
}
/** By product id. */
export type Edits = ReadonlyMap<number, RowEdits>;
export const NO_EDITS: Edits = new Map();

export interface Typed {
  readonly product: Product;
  readonly field: Field;
  readonly text: string;
}

const entriesOf = (row: RowEdits | undefined): [Field, Edit][] => Object.entries(row?.fields ?? {}) as [Field, Edit][];
const isUnchanged = ({ parsed }: Edit, product: Product, field: Field): boolean => parsed.ok && parsed.value === product[field];
const isMeanwhileChanged = ({ base }: Edit, product: Product, field: Field): boolean => base !== product[field];

function withRow(edits: Map<number, RowEdits>, id: number, row: RowEdits): void {
  if (entriesOf(row).length === 0) edits.delete(id);
  else edits.set(id, row);
}

const without = ({ name, fields }: RowEdits, isRemoved: (field: Field, edit: Edit) => boolean): RowEdits => ({
  name,
  fields: Object.fromEntries(Object.entries(fields).filter(([field, edit]) => !isRemoved(field as Field, edit))),
});

/** A cell with the product's own value again has no edit. */
export function withTyped(edits: Edits, typed: readonly Typed[]): Edits {
  const next = new Map(edits);
  for (const { product, field, text } of typed) {
    const row = next.get(product.id) ?? { name: product.name, fields: {} };
    const old = row.fields[field];
    const edit = { text, parsed: parseValue(field, text), base: old ? old.base : product[field] };
    const fields = { ...row.fields, [field]: edit };
    withRow(
      next,
      product.id,
      without({ ...row, fields }, (one) => one === field && isUnchanged(edit, product, field)),
    );
  }
  return next;
}

/** After another read of the products: edits that the products have by now are saved. Returns the same edits when there are none. */
export function withoutSaved(edits: Edits, products: ReadonlyMap<number, Product>): Edits {
  const next = new Map(edits);
  for (const [id, row] of edits) {
    const product = products.get(id);
    if (product)
      withRow(
        next,
        id,
        without(row, (field, edit) => isUnchanged(edit, product, field)),
      );
  }
  const count = (all: Edits): number => [...all.values()].reduce((sum, row) => sum + entriesOf(row).length, 0);
  return count(next) === count(edits) ? edits : next;
}

/** Of a product that was changed meanwhile: keeps what was typed over the present values. */
export function keepMine(edits: Edits, product: Product): Edits {
  const row = edits.get(product.id);
  if (!row) return edits;
  const fields = Object.fromEntries(entriesOf(row).map(([field, edit]) => [field, { ...edit, base: product[field] }]));
  return new Map(edits).set(product.id, { ...row, fields });
}

/** Of a product that was changed meanwhile: gives up what was typed into the changed cells; of a deleted one all. */
export function takeTheirs(edits: Edits, id: number, product: Product | undefined): Edits {
  const next = new Map(edits);
  const row = edits.get(id);
  if (row)
    withRow(
      next,
      id,
      without(row, (field, edit) => product === undefined || isMeanwhileChanged(edit, product, field)),
    );
  return next;
}

/** The product with the readable values of its edits. */
export const editedProduct = (product: Product, row: RowEdits | undefined): Product & Priced => ({
  ...product,
  ...Object.fromEntries(entriesOf(row).flatMap(([field, { parsed }]) => (parsed.ok ? [[field, parsed.value]] : []))),
});

/** Why the text of a cell cannot be saved, or null. */
export function problemOf(product: Product, row: RowEdits | undefined, field: Field): string | null {
  const edit = row?.fields[field];
  if (edit && !edit.parsed.ok) return edit.parsed.problem;
  // Shown where it was caused.
  const isCause = edit !== undefined && (field === 'unit_price' || (field === 'unit_qty' && row?.fields.unit_price === undefined));
  return isCause && !isAffordable(editedProduct(product, row)) ? PRICE_TOO_LARGE : null;
}

/** The value that somebody else has saved since the cell was typed into; undefined when nobody has. */
export function meanwhileValue(product: Product, row: RowEdits | undefined, field: Field): FieldValue | undefined {
  const edit = row?.fields[field];
  return edit && isMeanwhileChanged(edit, product, field) ? product[field] : undefined;
}

export interface Conflict {
  readonly id: number;
  readonly name: string;
  /** Undefined: it was deleted. */
  readonly product: Product | undefined;
  readonly fields: readonly Field[];
}

export interface EditSummary {
  /** Changed cells. */
  readonly changed: number;
  /** What can be saved now: invalid cells, cells that were changed meanwhile, and products beyond those of one call stay. */
  readonly changes: readonly BasedChange[];
  readonly saved: number;
  readonly problems: readonly { readonly id: number; readonly field: Field }[];
  readonly conflicts: readonly Conflict[];
}

export function summaryOf(edits: Edits, products: ReadonlyMap<number, Product>): EditSummary {
  const problems: { id: number; field: Field }[] = [];
  const conflicts: Conflict[] = [];
  const changes: BasedChange[] = [];
  let [changed, saved] = [0, 0];
  for (const [id, row] of edits) {
    const product = products.get(id);
    const entries = entriesOf(row);
    changed += entries.length;
    if (!product) {
      conflicts.push({ id, name: row.name, product, fields: [] });
      continue;
    }
    const outdated = entries.flatMap(([field, edit]) => (isMeanwhileChanged(edit, product, field) ? [field] : []));
    if (outdated.length > 0) conflicts.push({ id, name: product.name, product, fields: outdated });
    const bad = entries.flatMap(([field]) => (problemOf(product, row, field) === null ? [] : [field]));
    problems.push(...bad.map((field) => ({ id, field })));
    const good = entries.filter(([field]) => !bad.includes(field) && !outdated.includes(field));
    if (good.length === 0 || changes.length === MOST_PRODUCTS) continue;
    saved += good.length;
    changes.push({
      id,
      before: Object.fromEntries(good.map(([field, { base }]) => [field, base])),
      after: Object.fromEntries(good.map(([field, { parsed }]) => [field, parsed.ok ? parsed.value : null])),
    });
  }
  return { changed, changes, saved, problems, conflicts };
}
