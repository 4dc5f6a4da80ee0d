// What the product dialog asks for, and how it becomes the body of the call (spec §5).
import { useId, type ReactNode } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import * as z from 'zod/mini';
import { CheckField, TextArea, TextField } from '../../client/ui/field.tsx';
import { cents, dollars, plainDollars } from '../../domain/money.ts';
import { priceOf } from '../../domain/order.ts';
import { NewProduct, ProductFields, type Product } from './contract.ts';
import { PRICE, whole, type NumberRule } from './csv.ts';
import { unitsText } from './texts.ts';

/** A number from its text; `blank` is what an empty field means, and without it a fault. */
function typed<Out>([read, reason]: NumberRule, checked: z.core.$ZodType<Out, number | null | undefined>, blank?: number | null) {
  const number = z.transform((text: string, context: z.core.ParsePayload): number | null => {
    if (text.trim() === '' && blank !== undefined) return blank;
    const value = read(text.trim());
    if (value === null) context.issues.push({ code: 'custom', message: reason, input: text });
    return value;
  });
  return z.pipe(z.pipe(z.string(), number), checked as z.core.$ZodType<Out, number | null>);
}

const { unit_price, unit_qty, max_order_qty, product_code } = ProductFields.shape;

/** The contract's schema, with numbers and the price as they are typed. */
export const ProductForm = z.pipe(
  z.pipe(
    z.extend(ProductFields, {
      unit_price: typed(PRICE, unit_price),
      unit_qty: typed(whole('Quantity'), unit_qty, 0),
      max_order_qty: typed(whole('Maximum order quantity'), max_order_qty, 0),
      product_code: typed(whole('Product code'), product_code, null),
    }),
    z.transform((fields): z.input<typeof NewProduct> => fields),
  ),
  NewProduct,
);
export type ProductTexts = z.input<typeof ProductForm>;
export type ProductFormState = UseFormReturn<ProductTexts, unknown, ProductFields>;

/** Spec §9: a new product's defaults. */
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
      };

interface ProductFormFieldsProps {
  form: ProductFormState;
  /** Offered while typing. */
  groups: readonly string[];
  units: readonly string[];
}

export function ProductFormFields({ form, groups, units }: ProductFormFieldsProps): ReactNode {
  const { register, formState } = form;
  const list = useId();
  const errorOf = (field: keyof ProductTexts): string | undefined => formState.errors[field]?.message;
  return (
    <div className="grid gap-4 md:grid-cols-6">
      <TextField label="Name" error={errorOf('name')} className="md:col-span-4" {...register('name')} />
      <TextField
        label="Product code"
        inputMode="numeric"
        autoComplete="off"
        error={errorOf('product_code')}
        className="md:col-span-2"
        {...register('product_code')}
      />
      <TextArea label="Description" rows={2} error={errorOf('description')} className="md:col-span-6" {...register('description')} />
      <TextField
        label="Group"
        list={`${list}-groups`}
        autoComplete="off"
        error={errorOf('product_group')}
        className="md:col-span-6"
        {...register('product_group')}
      />
      <Suggestions id={`${list}-groups`} texts={groups} />
      <TextField
        label="Unit price, $"
        inputMode="decimal"
        autoComplete="off"
        onFocus={(event) => event.target.select()}
        error={errorOf('unit_price')}
        className="md:col-span-2"
        {...register('unit_price')}
      />
      <TextField
        label="Unit quantity"
        inputMode="numeric"
        autoComplete="off"
        error={errorOf('unit_qty')}
        className="md:col-span-2"
        {...register('unit_qty')}
      />
      <TextField
        label="Unit of measure"
        list={`${list}-units`}
        autoComplete="off"
        error={errorOf('uom')}
        className="md:col-span-2"
        {...register('uom')}
      />
      <Suggestions id={`${list}-units`} texts={units} />
      <div className="md:col-span-4">
        <CheckField
          label="The quantity is an estimate"
          hint="Each unit is weighed; its final price is the weight times the unit price."
          {...register('unit_qty_is_estimate')}
        />
        <PriceLine form={form} />
      </div>
      <TextField
        label="Max order quantity"
        hint="0: no maximum"
        inputMode="numeric"
        autoComplete="off"
        error={errorOf('max_order_qty')}
        className="md:col-span-2"
        {...register('max_order_qty')}
      />
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

/** What a customer will pay for one, while it is typed. */
function PriceLine({ form }: { form: ProductFormState }): ReactNode {
  const texts = useWatch({ control: form.control });
  const read = ProductForm.safeParse({ ...NEW, ...texts, name: 'any' });
  return (
    <output className="mt-3 block text-s">
      {read.success && (
        <>
          Price <strong className="num">{dollars(priceOf(read.data))}</strong> <span className="text-ink-soft">{unitsText(read.data)}</span>
        </>
      )}
    </output>
  );
}
