// The fields of the product dialog.
import { useId, type ReactNode } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { CheckField, TextArea, TextField } from '../../../client/ui/forms/field.tsx';
import { dollars } from '../../../domain/money.ts';
import { unitsOver } from '../../../domain/ordering/limits.ts';
import { priceOf } from '../../../domain/order.ts';
import type { ProductFields } from '../contract.ts';
import { ESTIMATE_HINT, FIELDS, LIMIT_HINT, MAX_HINT, PRICE, unitsText } from '../texts.ts';
import { limitBelowOrderedText } from '../../catalogue/texts.ts';
import { ProductForm, textsOf, TypedFields, type ProductTexts } from './product-texts.ts';

type ProductFormState = UseFormReturn<ProductTexts, unknown, ProductFields>;

interface ProductFormFieldsProps {
  form: ProductFormState;
  /** How many units of the product are ordered. */
  ordered: number;
  /** The existing groups. They are suggested while the user types. `units` are the existing units of measure. */
  groups: readonly string[];
  units: readonly string[];
}

export function ProductFormFields({ form, ordered, groups, units }: ProductFormFieldsProps): ReactNode {
  const { register, formState } = form;
  const list = useId();
  const field = (name: Exclude<keyof ProductTexts, 'unit_qty_is_estimate'>) => ({
    ...register(name),
    label: FIELDS[name],
    error: formState.errors[name]?.message,
  });
  const numberField = (name: Parameters<typeof field>[0]) =>
    ({ ...field(name), inputMode: 'numeric', autoComplete: 'off', className: 'md:col-span-2' }) as const;
  return (
    <div className="grid grid-cols-2 items-start gap-4 md:grid-cols-6">
      <TextField {...field('name')} className="col-span-2 md:col-span-4" />
      <TextField {...numberField('product_code')} />
      <TextField {...numberField('max_order_qty')} hint={MAX_HINT} />
      <TextField {...numberField('total_limit')} hint={<LimitHint form={form} ordered={ordered} />} />
      <TextField {...field('product_group')} list={`${list}-groups`} autoComplete="off" className="col-span-2" />
      <Suggestions id={`${list}-groups`} texts={groups} />
      <TextArea {...field('description')} rows={2} className="col-span-2 md:col-span-6" />
      <TextField {...numberField('unit_price')} inputMode="decimal" onFocus={(event) => event.target.select()} />
      <TextField {...numberField('unit_qty')} />
      <TextField {...field('uom')} list={`${list}-units`} autoComplete="off" className="col-span-2" />
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

function LimitHint({ form, ordered }: Pick<ProductFormFieldsProps, 'form' | 'ordered'>): ReactNode {
  const typed = TypedFields.shape.total_limit.safeParse(useWatch({ control: form.control, name: 'total_limit' }));
  const over = typed.success ? unitsOver(typed.data, ordered) : 0;
  return (
    <output className={over > 0 ? 'font-semibold text-wait' : undefined}>
      {over > 0 ? limitBelowOrderedText(ordered, over) : LIMIT_HINT}
    </output>
  );
}

function PriceLine({ form }: { form: ProductFormState }): ReactNode {
  const texts = useWatch({ control: form.control });
  const read = ProductForm.safeParse({ ...textsOf(null), ...texts, name: 'any' });
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
