import { zodResolver } from '@hookform/resolvers/zod';
import type { ReactNode } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { optionsOf } from '../../client/ui/forms/choices.tsx';
import { TextField } from '../../client/ui/forms/field.tsx';
import { SelectField } from '../../client/ui/forms/select-field.tsx';
import { Form } from '../../client/ui/forms/form.tsx';
import { ignoreUnread } from '../../client/previous-values/ignore-unread.ts';
import { cents, parseDollars, parsePercent, parseSigned, plainDollars } from '../../domain/money.ts';
import { resetAfterSave } from '../../client/hooks/reset-after-save.ts';
import { useReportDirty } from '../../client/hooks/use-report-dirty.ts';
import { feeText } from '../../domain/fees.ts';
import { NewFee, type Fee } from './contract.ts';
import {
  AMOUNT,
  AMOUNT_HINTS,
  AMOUNT_UNREADABLE,
  NAME,
  sameNameText,
  SORT_ORDER,
  SORT_ORDER_HINT,
  SORT_ORDER_UNREADABLE,
  TYPE,
  TYPE_LABELS,
} from './texts.ts';

export type FeeBody = z.output<typeof NewFee>;

const Typed = z.object({ name: z.string(), type: NewFee.shape.type, sort_order: z.string(), amount: z.string() });
type Typed = z.infer<typeof Typed>;

/** Returns the typed amount in cents or basis points, or null if it is no number. */
const amountIn = ({ type, amount }: Typed): number | null => parseSigned(amount, type === 'flat' ? parseDollars : parsePercent);

const sortOrderIn = ({ sort_order }: Typed): number | null => (/^\s*-?\d{1,9}\s*$/.test(sort_order) ? Number(sort_order) : null);

/** Parses the typed fields into the request body. Reports the fields that cannot be parsed, and the errors of the request schema. */
const FeeSchema = z.pipe(
  Typed,
  z.transform((typed, context): FeeBody => {
    const [amount, sort_order] = [amountIn(typed), sortOrderIn(typed)];
    const refuse = (path: PropertyKey[], message: string): void =>
      void context.issues.push({ code: 'custom', path, message, input: typed });
    if (amount === null) refuse(['amount'], AMOUNT_UNREADABLE[typed.type]);
    if (sort_order === null) refuse(['sort_order'], SORT_ORDER_UNREADABLE);
    const checked = z.safeParse(NewFee, { ...typed, amount: amount ?? 0, sort_order: sort_order ?? 0 });
    for (const { path, message } of checked.error?.issues ?? []) refuse(path, message);
    return checked.data ?? z.NEVER;
  }),
);

/** The defaults of a new fee (spec §9). */
const NEW_FEE: Typed = { name: '', type: 'flat', sort_order: '0', amount: '0' };

const TYPES = optionsOf(['flat', 'percent'], TYPE_LABELS);

const textsOf = ({ name, type, sort_order, amount }: Fee): Typed => ({
  name,
  type,
  sort_order: String(sort_order),
  amount: type === 'flat' ? String(plainDollars(cents(amount))) : feeText({ type, amount }).replace('%', ''),
});

interface FeeFormProps {
  /** Returns whether a key or button was pressed before the user can have read `replaced`. */
  isUnread?: (pressedAt: number) => boolean;
  /** The edited fee; null for a new fee. */
  fee: Fee | null;
  fees: readonly Fee[];
  /** Saves the fee; resolves to false if the save failed. After a new fee was saved, the form is cleared. */
  onSave: (fee: FeeBody) => Promise<boolean>;
  onDirty?: (isDirty: boolean) => void;
  /** For fields that somebody else has changed, too: the message that the next save replaces the other value. */
  replaced?: { readonly [Name in keyof FeeBody]?: string | undefined };
  /** Renders the buttons of the form. While the fee is being saved, `isSaving` is true. */
  buttons: (isSaving: boolean) => ReactNode;
}

export function FeeForm({ fee, fees, onSave, onDirty = IGNORE, replaced = {}, isUnread = NEVER, buttons }: FeeFormProps): ReactNode {
  const form = useForm({
    resolver: zodResolver(FeeSchema),
    defaultValues: fee ? textsOf(fee) : NEW_FEE,
  });
  const { register, handleSubmit, control, formState } = form;
  const { errors, isDirty, dirtyFields, isSubmitting } = formState;
  const isCharged = dirtyFields.type === true || dirtyFields.amount === true;
  const isChanged = { name: dirtyFields.name, sort_order: dirtyFields.sort_order, type: isCharged, amount: isCharged };
  const errorOf = (field: keyof FeeBody) => errors[field]?.message ?? (isChanged[field] === true ? replaced[field] : undefined);
  const [name, type] = useWatch({ control, name: ['name', 'type'] });
  const twin = fees.find((other) => other.id !== fee?.id && isSameName(other.name, name));
  useReportDirty(isDirty, onDirty);
  const submit = handleSubmit(async (body) => {
    const submitted = form.getValues();
    if ((await onSave(body)) && !fee) resetAfterSave(form, submitted, NEW_FEE);
  });
  return (
    <Form {...ignoreUnread(isUnread)} onSubmit={submit} className="grid gap-5">
      <TextField label={NAME} autoComplete="off" hint={twin && sameNameText(twin.name)} {...register('name')} error={errorOf('name')} />
      <SelectField label={TYPE} options={TYPES} {...register('type')} error={errorOf('type')} />
      <div className="grid grid-cols-2 items-start gap-4">
        <TextField
          label={AMOUNT}
          inputMode="decimal"
          autoComplete="off"
          hint={AMOUNT_HINTS[type]}
          {...register('amount')}
          error={errorOf('amount')}
        />
        <TextField
          label={SORT_ORDER}
          inputMode="numeric"
          autoComplete="off"
          hint={SORT_ORDER_HINT}
          {...register('sort_order')}
          error={errorOf('sort_order')}
        />
      </div>
      {buttons(isSubmitting)}
    </Form>
  );
}

const IGNORE = (): void => undefined;
const NEVER = (): boolean => false;

const isSameName = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();
