// Converts the fields of a product to typed text, and typed text to the request body (spec §5).
import * as z from 'zod/mini';
import { plainDollars } from '../../../domain/money.ts';
import { NewProduct, ProductFields } from '../contract.ts';
import { NEW, PRICE, whole, type NumberRule } from '../csv.ts';
import { PRODUCT_NAMES } from '../texts.ts';

/** Returns a schema for a typed number. `blank` is the value of an empty field; without it, an empty field is an error. */
function typed<Out>([read, reason]: NumberRule, checked: z.core.$ZodType<Out, number | null | undefined>, blank?: number | null) {
  const number = z.transform((text: string, context: z.core.ParsePayload): number | null => {
    if (text.trim() === '' && blank !== undefined) return blank;
    const value = read(text.trim());
    if (value === null) context.issues.push({ code: 'custom', message: reason, input: text });
    return value;
  });
  return z.pipe(z.pipe(z.string(), number), checked as z.core.$ZodType<Out, number | null>);
}

const { unit_price, unit_qty, max_order_qty, product_code, total_limit } = ProductFields.shape;

/** The schema of a product in contract.ts, but with numbers and prices as typed text. */
export const TypedFields = z.extend(ProductFields, {
  unit_price: typed(PRICE, unit_price),
  unit_qty: typed(whole(PRODUCT_NAMES.unit_qty), unit_qty, 0),
  max_order_qty: typed(whole(PRODUCT_NAMES.max_order_qty), max_order_qty, 0),
  product_code: typed(whole(PRODUCT_NAMES.product_code), product_code, null),
  total_limit: typed(whole(PRODUCT_NAMES.total_limit), total_limit, null),
});

export const ProductForm = z.pipe(
  z.pipe(
    TypedFields,
    z.transform((fields): z.input<typeof NewProduct> => fields),
  ),
  NewProduct,
);
export type ProductTexts = z.input<typeof ProductForm>;

/** Returns the fields of a product as typed text. Without a product, returns the defaults of a new one (spec §9). */
export const textsOf = (product: ProductFields | null): ProductTexts => {
  const fields = product ?? NEW;
  return {
    name: fields.name,
    description: fields.description ?? '',
    unit_price: plainDollars(fields.unit_price),
    unit_qty: String(fields.unit_qty),
    uom: fields.uom ?? '',
    unit_qty_is_estimate: fields.unit_qty_is_estimate,
    max_order_qty: String(fields.max_order_qty),
    product_group: fields.product_group ?? '',
    product_code: String(fields.product_code ?? ''),
    total_limit: String(fields.total_limit ?? ''),
  };
};
