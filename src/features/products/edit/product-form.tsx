// The fields of the product dialog, and their conversion into the call's body (spec §5).
import { useId, type ReactNode } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import * as z from 'zod/mini';
import { CheckField, TextArea, TextField } from '../../../client/ui/forms/field.tsx';
import { cents, dollars, plainDollars } from '../../../domain/money.ts';
import { priceOf } from '../../../domain/order.ts';
import { NewProduct, ProductFields, type Product } from '../contract.ts';
import { PRICE as PRICE_RULE, whole, type NumberRule } from '../csv.ts';
import { ESTIMATE_HINT, FIELDS, LIMIT_HINT, MAX_HINT, PRICE, PRODUCT_NAMES, unitsText } from '../texts.ts';

/** Parses a number; `blank` is the meaning of an empty field, which is otherwise an error. */
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

/** The contract's schema with numbers and price as typed text. */
export const ProductForm = z.pipe(
  z.pipe(
    z.extend(ProductFields, {
      unit_price: typed(PRICE_RULE, unit_price),
      unit_qty: typed(whole(PRODUCT_NAMES.unit_qty), unit_qty, 0),
      max_order_qty: typed(whole(PRODUCT_NAMES.max_order_qty), max_order_qty, 0),
      product_code: typed(whole(PRODUCT_NAMES.product_code), product_code, null),
      total_limit: typed(whole(PRODUCT_NAMES.total_limit), total_limit, null),
    }),
    z.transform((fields): z.input<typeof NewProduct> => fields),
  ),
  NewProduct,
);
export type ProductTexts = z.input<typeof ProductForm>;
export type ProductFormState = UseFormReturn<ProductTexts, unknown, ProductFields>;

/** Spec §9: defaults of a new product. */
const NEW: ProductTexts = {
  name: '',
  description: '',
  unit_price: plainDollars(cents(0)),
  unit_qty: '1',
  uom: '',
  unit_qty_is_estimate: false,
  max_order_qty: '0',
  product_group: '',
  product_code: '',
  total_limit: '',
};

export const textsOf = (product: Product | null): ProductTexts =>
  product === null
    ? NEW
    : {
        name: product.name,
        description: product.description ?? '',
        unit_price: plainDollars(product.unit_price),
        unit_qty: String(product.unit_qty),
        uom: product.uom ?? '',
        unit_qty_is_estimate: product.unit_qty_is_estimate,
        max_order_qty: String(product.max_order_qty),
        product_group: product.product_group ?? '',
        product_code: product.product_code === null ? '' : String(product.product_code),
        total_limit: product.total_limit === null ? '' : String(product.total_limit),
      };

/** The typed values; untouched fields take the current values, even if the form showed others when it was opened. */
export const typedOver = (
  current: Product,
  typed: ProductFields,
  touched: Partial<Record<keyof ProductFields, boolean>>,
): ProductFields => ({
  ...typed,
  ...Object.fromEntries(Object.entries(current).filter(([name]) => name in typed && touched[name as keyof ProductFields] !== true)),
});

interface ProductFormFieldsProps {
  form: ProductFormState;
  /** Suggestions while typing. */
  groups: readonly string[];
  units: readonly string[];
}

export function ProductFormFields({ form, groups, units }: ProductFormFieldsProps): ReactNode {
  const { register, formState } = form;
  const list = useId();
  const errorOf = (field: keyof ProductTexts): string | undefined => formState.errors[field]?.message;
  return (
    <div className="grid grid-cols-2 items-start gap-4 md:grid-cols-6">
      <TextField label={FIELDS.name} error={errorOf('name')} className="col-span-2 md:col-span-4" {...register('name')} />
      <TextField
        label={FIELDS.product_code}
        inputMode="numeric"
        autoComplete="off"
        error={errorOf('product_code')}
        className="md:col-span-2"
        {...register('product_code')}
      />
      <TextField
        label={FIELDS.max_order_qty}
        hint={MAX_HINT}
        inputMode="numeric"
        autoComplete="off"
        error={errorOf('max_order_qty')}
        className="md:col-span-2"
        {...register('max_order_qty')}
      />
      <TextField
        label={FIELDS.total_limit}
        hint={LIMIT_HINT}
        inputMode="numeric"
        autoComplete="off"
        error={errorOf('total_limit')}
        className="md:col-span-2"
        {...register('total_limit')}
      />
      <TextField
        label={FIELDS.product_group}
        list={`${list}-groups`}
        autoComplete="off"
        error={errorOf('product_group')}
        className="col-span-2"
        {...register('product_group')}
      />
      <Suggestions id={`${list}-groups`} texts={groups} />
      <TextArea
        label={FIELDS.description}
        rows={2}
        error={errorOf('description')}
        className="col-span-2 md:col-span-6"
        {...register('description')}
      />
      <TextField
        label={FIELDS.unit_price}
        inputMode="decimal"
        autoComplete="off"
        onFocus={(event) => event.target.select()}
        error={errorOf('unit_price')}
        className="md:col-span-2"
        {...register('unit_price')}
      />
      <TextField
        label={FIELDS.unit_qty}
        inputMode="numeric"
        autoComplete="off"
        error={errorOf('unit_qty')}
        className="md:col-span-2"
        {...register('unit_qty')}
      />
      <TextField
        label={FIELDS.uom}
        list={`${list}-units`}
        autoComplete="off"
        error={errorOf('uom')}
        className="col-span-2"
        {...register('uom')}
      />
      <Suggestions id={`${list}-units`} texts={units} />
      <div className="col-span-2 md:col-span-6">
        <CheckField label={FIELDS.unit_qty_is_estimate} hint={ESTIMATE_HINT} {...register('unit_qty_is_estimate')} />
        <PriceLine form={form} />
      </div>
    </div>
  );
}

function Suggestions({ id, texts }: { id: string; texts: readonly string[] }): ReactNode {
  return (
    <datalist id={id}>
      {texts.map((text) => (
        <option key={text}>{text}</option>
      ))}
    </datalist>
  );
}

/** The price per unit, updated while the user types. */
function PriceLine({ form }: { form: ProductFormState }): ReactNode {
  const texts = useWatch({ control: form.control });
  const read = ProductForm.safeParse({ ...NEW, ...texts, name: 'any' });
  return (
    <output className="mt-3 block text-s">
      {read.success && (
        <>
          {PRICE} <strong className="num">{dollars(priceOf(read.data))}</strong>{' '}
          <span className="text-ink-soft">{unitsText(read.data)}</span>
        </>
      )}
    </output>
  );
}
