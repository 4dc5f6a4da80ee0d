import { zodResolver } from '@hookform/resolvers/zod';
import { useState, type ReactNode } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { UseFormReturn } from 'react-hook-form';
import * as z from 'zod/mini';
import { TextField } from '../../client/ui/field.tsx';
import { calendarDate, today } from '../../shared/dates.ts';
import { NewDistribution } from './contract.ts';
import { DATE, DAY_HAS_PASSED, NAME } from './texts.ts';

const orToday = (text: string): string => calendarDate(text) ?? today(new Date());

/** Spec §5: an invalid date falls back to today. */
const DistributionForm = z.extend(NewDistribution, { date: z.pipe(z.string(), z.transform(orToday)) });
type Values = z.input<typeof DistributionForm>;

export type DistributionFormState = UseFormReturn<Values, unknown, z.output<typeof DistributionForm>>;

export const useDistributionForm = (values: Values): DistributionFormState =>
  useForm({ resolver: zodResolver(DistributionForm), defaultValues: values });

export function DistributionFields({ form }: { form: DistributionFormState }): ReactNode {
  const { register, setValue, formState, control } = form;
  const date = useWatch({ control, name: 'date' });
  const [now] = useState(() => today(new Date()));
  // What is as it was needs no remark.
  const isPast = formState.dirtyFields.date === true && date < now;
  return (
    <>
      <TextField label={NAME} autoComplete="off" {...register('name')} error={formState.errors.name?.message} />
      <TextField
        label={DATE}
        type="date"
        hint={isPast ? DAY_HAS_PASSED : undefined}
        {...register('date', {
          // Seen before it is saved.
          onBlur: (event: { target: HTMLInputElement }) => setValue('date', orToday(event.target.value), { shouldDirty: true }),
        })}
        error={formState.errors.date?.message}
      />
    </>
  );
}
