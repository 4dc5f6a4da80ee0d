// Keeps the unsaved changes in the products table: for each edited cell, the typed text and the saved value on which it is based.
import type { Priced } from '../../../domain/order.ts';
import { isBelowOrdered } from '../../../domain/ordering/limits.ts';
import { isAffordable, MAX_PRODUCTS, type ChangeWithPrevious, type Product } from '../contract.ts';
import { PRICE_TOO_LARGE } from '../texts.ts';
import { parseValue, type Field, type FieldValue, type Parsed } from './columns.ts';

interface Edit {
  readonly text: string;
  readonly parsed: Parsed;
  /** The product's value when the user edited the cell for the first time. */
  readonly base: FieldValue;
}
export interface RowEdits {
  /**
   * The product's name when its first cell was edited. The name is stored here, because somebody else may delete the product before the
   * edits are saved.
   */
  readonly name: string;
  readonly fields: Readonly<Partial<Record<Field, Edit>>>;
}
/** The unsaved changes of each row, by product id. */
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

/** Stores the row without the edits that `isRemoved` selects. A row without edits is removed. */
function setRow(
  edits: Map<number, RowEdits>,
  id: number,
  { name, fields }: RowEdits,
  isRemoved: (field: Field, edit: Edit) => boolean,
): void {
  const kept = Object.entries(fields).filter(([field, edit]) => !isRemoved(field as Field, edit));
  if (kept.length === 0) edits.delete(id);
  else edits.set(id, { name, fields: Object.fromEntries(kept) });
}

/** Adds typed or pasted texts to the edits. A text that equals the product's saved value removes the edit of its cell. */
export function withTyped(edits: Edits, typed: readonly Typed[]): Edits {
  const next = new Map(edits);
  for (const { product, field, text } of typed) {
    const row = next.get(product.id) ?? { name: product.name, fields: {} };
    const old = row.fields[field];
    const edit = { text, parsed: parseValue(field, text), base: old ? old.base : product[field] };
    const changed = { ...row, fields: { ...row.fields, [field]: edit } };
    setRow(next, product.id, changed, (one) => one === field && isUnchanged(edit, product, field));
  }
  return next;
}

/** Called after the products were read again: removes the edits that are saved by now. Returns the same map if there are none. */
export function withoutSaved(edits: Edits, products: ReadonlyMap<number, Product>): Edits {
  const next = new Map(edits);
  for (const [id, row] of edits) {
    const product = products.get(id);
    if (product) setRow(next, id, row, (field, edit) => isUnchanged(edit, product, field));
  }
  const count = (all: Edits): number => [...all.values()].reduce((sum, row) => sum + entriesOf(row).length, 0);
  return count(next) === count(edits) ? edits : next;
}

/** Resolves a conflict in favor of this user: the edits stay, and are now based on the values that somebody else has saved. */
export function keepMine(edits: Edits, product: Product): Edits {
  const row = edits.get(product.id);
  if (!row) return edits;
  const fields = Object.fromEntries(entriesOf(row).map(([field, edit]) => [field, { ...edit, base: product[field] }]));
  return new Map(edits).set(product.id, { ...row, fields });
}

/**
 * Resolves a conflict in favor of the other user: drops the edits of cells that the other user has changed. If the product was deleted,
 * drops all its edits.
 */
export function takeTheirs(edits: Edits, id: number, product: Product | undefined): Edits {
  const next = new Map(edits);
  const row = edits.get(id);
  if (row) setRow(next, id, row, (field, edit) => product === undefined || isMeanwhileChanged(edit, product, field));
  return next;
}

export const editedProduct = (product: Product, row: RowEdits | undefined): Product & Priced => ({
  ...product,
  ...Object.fromEntries(entriesOf(row).flatMap(([field, { parsed }]) => (parsed.ok ? [[field, parsed.value]] : []))),
});

/** Returns why the text of a cell cannot be saved; null if it can. */
export function problemOf(product: Product, row: RowEdits | undefined, field: Field): string | null {
  const edit = row?.fields[field];
  if (edit && !edit.parsed.ok) return edit.parsed.problem;
  // If the price becomes too large, the error is shown at the changed unit price or, if only the quantity was changed, at the quantity.
  const isCause = edit !== undefined && (field === 'unit_price' || (field === 'unit_qty' && row?.fields.unit_price === undefined));
  return isCause && !isAffordable(editedProduct(product, row)) ? PRICE_TOO_LARGE : null;
}

/** Returns whether the user has changed the product's limit to fewer units than are ordered. */
export function isLimitBelowOrdered(product: Product, row: RowEdits | undefined): boolean {
  return row?.fields.total_limit !== undefined && isBelowOrdered(editedProduct(product, row).total_limit, product.total_ordered ?? 0);
}

/** Returns the value that somebody else has saved since the user edited the cell; undefined if nobody has. */
export function meanwhileValue(product: Product, row: RowEdits | undefined, field: Field): FieldValue | undefined {
  const edit = row?.fields[field];
  return edit && isMeanwhileChanged(edit, product, field) ? product[field] : undefined;
}

export interface Conflict {
  readonly id: number;
  readonly name: string;
  /** The product as it is saved now; undefined if it was deleted. */
  readonly product: Product | undefined;
  readonly fields: readonly Field[];
}

export type EditSummary = ReturnType<typeof summaryOf>;

/**
 * Returns the number of changed cells, and the changes that can be saved now. Invalid cells, cells that somebody else has changed, and
 * products above the maximum of one call cannot be saved. `lowLimits` is the number of saved changes that set a limit below the ordered
 * units.
 */
export function summaryOf(edits: Edits, products: ReadonlyMap<number, Product>) {
  const problems: { id: number; field: Field }[] = [];
  const conflicts: Conflict[] = [];
  const changes: ChangeWithPrevious[] = [];
  let [changed, saved, lowLimits] = [0, 0, 0];
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
    if (good.length === 0 || changes.length === MAX_PRODUCTS) continue;
    saved += good.length;
    if (good.some(([field]) => field === 'total_limit') && isLimitBelowOrdered(product, row)) lowLimits += 1;
    changes.push({
      id,
      before: Object.fromEntries(good.map(([field, { base }]) => [field, base])),
      after: Object.fromEntries(good.map(([field, { parsed }]) => [field, parsed.ok ? parsed.value : null])),
    });
  }
  return { changed, changes, saved, lowLimits, problems, conflicts };
}
