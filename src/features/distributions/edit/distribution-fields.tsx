import { zodResolver } from '@hookform/resolvers/zod';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useForm, useWatch, type SubmitErrorHandler, type UseFormReturn } from 'react-hook-form';
import * as z from 'zod/mini';
import { TextField } from '../../../client/ui/forms/field.tsx';
import { calendarDate, today } from '../../../shared/dates.ts';
import { NewDistribution } from '../contract.ts';
import { DATE, DATE_FELL_BACK, DAY_HAS_PASSED, NAME } from '../texts.ts';

const DistributionForm = z.extend(NewDistribution, {
  date: z.string().check(z.refine((text) => calendarDate(text) !== null, DATE_FELL_BACK)),
});
type Values = z.infer<typeof DistributionForm>;

type DistributionFormState = UseFormReturn<Values, unknown, Values> & {
  /** Handles the form's submit event: calls `save` with valid values. */
  onSubmit: (save: (values: Values) => Promise<unknown>) => (event: FormEvent) => Promise<unknown>;
};

/**
 * When the user submits an invalid date, the field changes to today and nothing is saved, so that the user sees the date first (spec §5).
 */
export function useDistributionForm(values: Values): DistributionFormState {
  const form = useForm({ resolver: zodResolver(DistributionForm), defaultValues: values });
  const { handleSubmit, setValue } = form;
  const fallBack: SubmitErrorHandler<Values> = ({ date }) => {
    if (date) setValue('date', today(new Date()), { shouldDirty: true });
  };
  return { ...form, onSubmit: (save) => handleSubmit(save, fallBack) };
}

interface DistributionFieldsProps {
  form: DistributionFormState;
  /** For fields that somebody else has changed, too: the message that the next save replaces the other value. */
  replaced?: { readonly [Name in keyof Values]?: string | undefined };
}

export function DistributionFields({ form, replaced = {} }: DistributionFieldsProps): ReactNode {
  const { register, formState, control } = form;
  const { errors, dirtyFields } = formState;
  const errorOf = (name: keyof Values) => errors[name]?.message ?? (dirtyFields[name] === true ? replaced[name] : undefined);
  const date = useWatch({ control, name: 'date' });
  const [now] = useState(() => today(new Date()));
  // The message about a past date appears only if the user has changed the date.
  const isPast = dirtyFields.date === true && date < now;
  return (
    <>
      <TextField label={NAME} autoComplete="off" {...register('name')} error={errorOf('name')} />
      <TextField label={DATE} type="date" hint={isPast ? DAY_HAS_PASSED : undefined} {...register('date')} error={errorOf('date')} />
    </>
  );
}
