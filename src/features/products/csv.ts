// Writes and reads the products file (spec §5, contract §4). Importing a downloaded file unchanged changes nothing.
import { isBlankText } from '../../domain/blank.ts';
import { parseDollars, parseSigned, parseWhole, plainDollars } from '../../domain/money.ts';
import { isBelowOrdered } from '../../domain/ordering/limits.ts';
import { parseBoolean } from '../../shared/csv/parse-boolean.ts';
import { runSteps, runStepsInSlices, csvReadSteps, type CsvFile, type CsvRow, type ProgressSteps } from '../../shared/csv/read-csv.ts';
import { failedRowsCsv, REASON, type Problem } from '../../shared/csv/problems.ts';
import { writeCsv, type CsvColumn } from '../../shared/csv/write-csv.ts';
import { MAX_GROUPS } from '../distributions/contract.ts';
import { NewProduct, ProductFields, ProductTerms, type Product, type ProductChange } from './contract.ts';
import { mustBeBoolean, mustBeWhole, noNameColumn, PRICE_RULE, PRODUCT_NAMES, SAME_PRODUCT_TWICE, SEVERAL_OF_CODE } from './texts.ts';
import type { SoldOtherwise } from './import/texts.ts';

type Column = keyof ProductFields;
type Cells = CsvRow['cells'];

/**
 * How a row was matched to an existing product: by the column id, or by the column product_code. If the row has neither, it is matched by
 * its whole content.
 */
type MatchedBy = 'id' | 'product_code' | 'content';
export type PlannedRow = { line: number; cells: Cells } & (
  | { kind: 'add'; fields: ProductFields }
  | { kind: 'update'; product: Product; matchedBy: MatchedBy; fields: ProductFields }
  | { kind: 'unchanged'; product: Product; matchedBy: MatchedBy }
  | { kind: 'problem'; reasons: string[] }
);
export interface ProductsPlan {
  /** Why the whole file cannot be imported; null if it can. */
  refused: string | null;
  rows: PlannedRow[];
  counts: Record<PlannedRow['kind'], number>;
  /** The columns that are ignored, because they are no fields of a product. */
  ignored: string[];
  /** The columns that occur more than once. Only the first of them is read. */
  repeated: string[];
}

const column = (header: 'id' | Column): CsvColumn<Product> => ({ header, value: (product) => product[header] });
const COLUMNS: CsvColumn<Product>[] = [
  ...(['id', 'product_code', 'name', 'description', 'product_group'] as const).map(column),
  { header: 'unit_price', value: (product) => plainDollars(product.unit_price) },
  ...(['unit_qty', 'uom', 'unit_qty_is_estimate', 'max_order_qty'] as const).map(column),
];
/**
 * The column of the product's limit. It is optional in an imported file, and a downloaded file contains it only if a product has a limit
 * (contract §12).
 */
const LIMIT = column('total_limit');
const HEADERS = [...COLUMNS, LIMIT].map((column) => column.header);

/** The defaults of a new product (spec §9). */
export const NEW: ProductFields = { ...ProductFields.parse({ name: 'New product' }), name: '' };

export const productsCsv = (products: readonly Product[]): string =>
  writeCsv(products.some((product) => product.total_limit !== null) ? [...COLUMNS, LIMIT] : COLUMNS, products);
export const templateCsv = (): string => productsCsv([]);

/**
 * Returns a CSV file with the rows that were not saved, each with the reason (spec §8). It has only the columns of the uploaded file, because
 * an import removes some of the values whose cells are blank, such as the description, but keeps the values whose column is missing.
 */
export const failedProductsCsv = (problems: readonly Problem[]): string =>
  failedRowsCsv(
    HEADERS.filter((header) => problems.some(({ cells }) => cells[header] !== undefined)),
    problems,
  );

export const groupsInOrder = (rows: readonly { readonly fields: ProductFields }[]): string[] =>
  [...new Set(rows.map(({ fields }) => fields.product_group))].filter((group) => group !== null).slice(0, MAX_GROUPS);

/** Returns the line numbers of new products without a price. Such products would cost nothing (spec §9). */
export const linesWithoutPrice = (rows: readonly PlannedRow[]): number[] =>
  rows.filter((row) => row.kind === 'add' && !row.cells['unit_price']?.trim()).map((row) => row.line);

/** Returns the line numbers of products that would change from a fixed price to a price by weight, or back. */
export function linesSoldOtherwise(rows: readonly PlannedRow[]): SoldOtherwise {
  const updates = rows.filter((row) => row.kind === 'update');
  const changed = updates.filter(({ product, fields }) => product.unit_qty_is_estimate !== fields.unit_qty_is_estimate);
  const linesOf = (byWeight: boolean): number[] =>
    changed.filter(({ fields }) => fields.unit_qty_is_estimate === byWeight).map(({ line }) => line);
  return { byWeight: linesOf(true), fixed: linesOf(false) };
}

export const linesWithLowLimit = (rows: readonly PlannedRow[]): number[] =>
  rows
    .filter((row) => row.kind === 'update')
    .filter(({ fields, product }) => fields.total_limit !== product.total_limit)
    .filter(({ fields, product }) => isBelowOrdered(fields.total_limit, product.total_ordered ?? 0))
    .map(({ line }) => line);

const TERMS = Object.keys(ProductTerms.shape);

/**
 * Returns the fields in which a row differs from its product at the preview, with the product's values in `before`. What other users save
 * in other fields after the preview stays, and the server refuses to replace what they save in these fields.
 */
export function changeOf({ product, fields }: Extract<PlannedRow, { kind: 'update' }>): ProductChange & { before: ProductChange } {
  const shown = fieldsIn(product);
  const changed = (Object.keys(fields) as Column[]).filter((column) => fields[column] !== shown[column]);
  const valuesIn = (values: ProductFields): ProductChange => Object.fromEntries(changed.map((column) => [column, values[column]]));
  return { ...valuesIn(fields), before: valuesIn(product) };
}

/** Returns the new terms of the products whose price, unit quantity or estimate flag the import would write. */
export const writtenTerms = (rows: readonly PlannedRow[]): (ProductTerms & { id: number })[] =>
  rows.flatMap((row) => {
    if (row.kind !== 'update' || !TERMS.some((term) => term in changeOf(row))) return [];
    const { unit_price, unit_qty, unit_qty_is_estimate } = row.fields;
    return [{ id: row.product.id, unit_price, unit_qty, unit_qty_is_estimate }];
  });

/** Returns what an import would do to each product. Nothing is written. */
export const readProducts = (file: Uint8Array | string, existing: readonly Product[]): ProductsPlan => runSteps(planning(file, existing));

/** Does the same as `readProducts`, but in slices that do not block the page. `onProgress` gets the completed fraction (0 to 1). */
export const readProductsInSlices = (
  file: Uint8Array | string,
  existing: readonly Product[],
  onProgress?: (part: number) => void,
): Promise<ProductsPlan> => runStepsInSlices(planning(file, existing), onProgress);

function* planning(file: Uint8Array | string, existing: readonly Product[]): ProgressSteps<ProductsPlan> {
  const { header, repeated, rows, problems, refused } = yield* readingHalf(file);
  // A file without the column `name` is accepted if it has ids or codes. Its rows can then still change existing products.
  const noName = ['name', 'id', 'product_code'].some((column) => header.includes(column)) ? null : noNameColumn(header);
  const plan: ProductsPlan = {
    refused: refused ?? noName,
    rows: [],
    counts: { add: 0, update: 0, unchanged: 0, problem: 0 },
    ignored: header.filter((column) => !HEADERS.includes(column) && column !== REASON),
    repeated,
  };
  if (plan.refused !== null) return plan;
  const known = knownProducts(existing);
  for (const [index, row] of rows.entries()) {
    yield 0.5 + index / rows.length / 2;
    if (HEADERS.some((column) => row.cells[column]?.trim())) plan.rows.push(plannedRow(row, known));
  }
  for (const { line, reason, cells } of problems) plan.rows.push({ kind: 'problem', line, reasons: [reason], cells });
  plan.rows.sort((a, b) => a.line - b.line);
  for (const row of plan.rows) plan.counts[row.kind] += 1;
  return plan;
}

function* readingHalf(file: Uint8Array | string): ProgressSteps<CsvFile> {
  const steps = csvReadSteps(file);
  let step = steps.next();
  for (; !step.done; step = steps.next()) yield step.value / 2;
  return step.value;
}

interface KnownProducts {
  byId: Map<number, Product>;
  byCode: Map<number, Product[]>;
  /**
   * Maps the content of each existing product without a code (all fields as JSON) to the products with this content. A row of the file that
   * has no code and the same content belongs to one of these products.
   */
  codeless: Map<string, Product[]>;
  /**
   * The products to which earlier rows of the file belong: existing products as objects, and new products as their codes. A second row for
   * the same product is an error.
   */
  taken: Set<Product | number>;
}

function knownProducts(existing: readonly Product[]): KnownProducts {
  const coded = existing.filter((product) => product.product_code !== null);
  const codeless = existing.filter((product) => product.product_code === null);
  return {
    byId: new Map(existing.map((product) => [product.id, product])),
    byCode: Map.groupBy(coded, (product) => product.product_code ?? 0),
    codeless: Map.groupBy(codeless, (product) => contentOf(fieldsIn(product))),
    taken: new Set(),
  };
}

function plannedRow({ line, cells }: CsvRow, known: KnownProducts): PlannedRow {
  const { key, matches } = matchesOf(cells, known);
  const [match] = matches;
  const { fields, reasons } = fieldsOf(cells, match ? fieldsIn(match) : NEW);
  // An existing product that has no code and the same content as this row. The row counts as this product, so that importing the same file
  // twice does not add the product again. The specification does not define this case.
  const twin =
    fields.product_code === null ? known.codeless.get(contentOf(fields))?.find((product) => !known.taken.has(product)) : undefined;
  const product = match ?? (reasons.length === 0 ? twin : undefined);
  const subject = product ?? fields.product_code;
  if (matches.length > 1) reasons.unshift(SEVERAL_OF_CODE);
  else if (subject !== null && known.taken.has(subject)) reasons.unshift(SAME_PRODUCT_TWICE);
  if (subject !== null) known.taken.add(subject);
  if (reasons.length > 0) return { kind: 'problem', line, cells, reasons };
  if (!product) return { kind: 'add', line, cells, fields };
  const matchedBy = match ? key : 'content';
  if (contentOf(fields) === contentOf(fieldsIn(product))) return { kind: 'unchanged', line, cells, product, matchedBy };
  return { kind: 'update', line, cells, product, matchedBy, fields };
}

/** Returns the product with the row's id or, if there is none, all products with the row's code (contract §4). */
function matchesOf(cells: Cells, known: KnownProducts): { key: MatchedBy; matches: Product[] } {
  const id = wholeNumber(cells['id']?.trim() ?? '');
  const code = wholeNumber(cells['product_code']?.trim() ?? '');
  const byId = id === null ? undefined : known.byId.get(id);
  if (byId) return { key: 'id', matches: [byId] };
  return { key: 'product_code', matches: code === null ? [] : (known.byCode.get(code) ?? []) };
}

const contentOf = (fields: ProductFields): string => JSON.stringify(fields, HEADERS);

/** Normalizes a text in the same way as the server: a text without visible characters becomes null. */
function tidy(text: string | null): string | null {
  const trimmed = text?.replace(/\r\n?/g, '\n').trim() ?? '';
  return isBlankText(trimmed) ? null : trimmed;
}

const fieldsIn = (product: Product): ProductFields => ({
  name: tidy(product.name) ?? '',
  description: tidy(product.description),
  product_group: tidy(product.product_group),
  product_code: product.product_code,
  unit_price: product.unit_price,
  unit_qty: product.unit_qty,
  uom: tidy(product.uom),
  unit_qty_is_estimate: product.unit_qty_is_estimate,
  max_order_qty: product.max_order_qty,
  total_limit: product.total_limit,
});

/**
 * Returns the fields of the product that a row describes. A field keeps its previous value if its column is missing or if a number is
 * blank. Only a blank code or limit removes the previous value.
 */
function fieldsOf(cells: Cells, before: ProductFields): { fields: ProductFields; reasons: string[] } {
  const reasons: string[] = [];
  const text = <C extends Column>(column: C, kept: string | null) => (cells[column] === undefined ? kept : tidy(cells[column]));
  const number = <T extends number | null>(column: Column, kept: T, [read, reason]: NumberRule): T | number => {
    const cell = cells[column]?.trim() ?? '';
    if (cell === '') return kept;
    const amount = read(cell);
    if (amount === null) reasons.push(reason);
    return amount ?? kept;
  };
  const estimate = isEstimate(cells['unit_qty_is_estimate'], before);
  if (estimate === null) reasons.push(mustBeBoolean('unit_qty_is_estimate'));
  const checked = NewProduct.safeParse({
    name: text('name', before.name) ?? '',
    description: text('description', before.description),
    product_group: text('product_group', before.product_group),
    product_code: number(
      'product_code',
      cells['product_code'] === undefined ? before.product_code : null,
      whole(PRODUCT_NAMES.product_code),
    ),
    unit_price: number('unit_price', before.unit_price, PRICE),
    unit_qty: number('unit_qty', before.unit_qty, whole(PRODUCT_NAMES.unit_qty)),
    uom: text('uom', before.uom),
    unit_qty_is_estimate: estimate ?? before.unit_qty_is_estimate,
    max_order_qty: number('max_order_qty', before.max_order_qty, whole(PRODUCT_NAMES.max_order_qty)),
    total_limit: number('total_limit', cells['total_limit'] === undefined ? before.total_limit : null, whole(PRODUCT_NAMES.total_limit)),
  });
  if (checked.success) return { fields: checked.data, reasons };
  return { fields: before, reasons: [...reasons, ...new Set(checked.error.issues.map((issue) => issue.message))] };
}

/** A function that parses typed text as a number, or returns null, and the error message for that case. */
export type NumberRule = [read: (typed: string) => number | null, reason: string];

/**
 * Parses the cell that says whether the unit quantity is an estimate. A missing column keeps the previous value; a blank cell means false
 * (spec §5). Returns null for an unknown word, which is an error.
 */
function isEstimate(cell: string | undefined, before: ProductFields): boolean | null {
  if (cell === undefined) return before.unit_qty_is_estimate;
  return cell.trim() === '' ? false : parseBoolean(cell);
}

const signed = (parse: (text: string) => number | null) => (cell: string) => parseSigned(cell.replace(/^\+/, ''), parse);
const wholeNumber = signed(parseWhole);

export const whole = (name: string): NumberRule => [wholeNumber, mustBeWhole(name)];
export const PRICE: NumberRule = [signed(parseDollars), PRICE_RULE];
