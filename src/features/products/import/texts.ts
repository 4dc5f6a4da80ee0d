// The texts of the dialog that imports products.
import { counted } from '../../../shared/counted.ts';
import { NOBODY_LOSES } from '../../catalogue/texts.ts';

/** Warns in the preview of an import about new products without a price, which are probably mistakes. */
export const freeText = (lines: readonly number[]): string =>
  `${counted(lines.length, 'new product')} without a unit price will cost $0.00 (${linesText(lines)}).`;

/** The line numbers of products that would change from a fixed price to a price by weight, or from a price by weight to a fixed price. */
export type SoldOtherwise = Readonly<Record<'byWeight' | 'fixed', readonly number[]>>;
/** Warns in the preview of an import about these products. */
export function soldOtherwiseText({ byWeight, fixed }: SoldOtherwise): string {
  const toFixed = `${counted(fixed.length, 'product')} sold by weight will have a fixed price (${linesText(fixed)}).`;
  const toWeight = `${counted(byWeight.length, 'product')} with a fixed price will be sold by weight (${linesText(byWeight)}).`;
  return [fixed.length > 0 && toFixed, byWeight.length > 0 && toWeight].filter(Boolean).join(' ');
}

const FIRST = 5;
const linesText = (lines: readonly number[]): string =>
  `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, FIRST).join(', ')}${lines.length > FIRST ? ', …' : ''}`;

export const UPLOAD_PRODUCTS = 'Upload Products';
export const UPLOAD_STEPS = ['File', 'Check', 'Save'] as const;
export const ONLY_A_HEADER = 'This file has no products, only a header row.';
export const UPLOAD_HINT =
  'A file from Download CSV can be changed in a spreadsheet and uploaded again: a row updates the product of its id, or else of its product_code, and is new otherwise. Excel and Google Sheets files must be saved as CSV.';
export const nothingSavedYetText = (file: string, rows: number): string => `${file} has ${counted(rows, 'row')}. Nothing is saved yet.`;
export const FREE_TITLE = 'This file gives no price to what is new';
export const SOLD_OTHERWISE_TITLE = 'This file changes how products are sold';
export const addText = (products: number): string => `Add ${counted(products, 'new product')}`;
export const updateText = (products: number): string => `Update ${counted(products, 'product')}`;
export const NOTHING_TO_SAVE = 'Nothing to save';
export const saveText = (products: number): string => `Save ${counted(products, 'product')}`;
/** The labels for what an import will do with a row. */
export const ROW_OUTCOMES = { add: 'New', update: 'Update', unchanged: 'Unchanged', problem: 'Problem' } as const;
export const NO_NAME = 'No name';
const KEYS = { id: 'id', product_code: 'product code', content: 'what it says' } as const;
export const matchedText = (found: readonly { readonly key: keyof typeof KEYS; readonly rows: number }[]): string =>
  `Matched with products of this distribution: ${found.map(({ key, rows }) => `${counted(rows, 'row')} by ${KEYS[key]}`).join(', ')}.`;
export const foundByText = (key: keyof typeof KEYS): string => `found by ${KEYS[key]}`;
export const SAVING_PRODUCTS = 'Saving products';
export const savedText = (products: number): string => `${counted(products, 'product')} saved.`;
export const CANCEL_UPLOAD = 'Cancel the upload';
export const CANCELLED_BEFORE = 'The upload was cancelled before this row';
export const savedOfText = (saved: number, total: number): string => `${saved} of ${counted(total, 'product was', 'products were')} saved.`;
export const failedInText = (file: string): string => `They are in ${file}, with reasons.`;
export const LIMITS_BELOW_TITLE = 'This file sets limits below what is ordered';
export const limitsBelowText = (lines: readonly number[]): string =>
  `More units of ${counted(lines.length, 'product')} are ordered already (${linesText(lines)}). ${NOBODY_LOSES}`;
