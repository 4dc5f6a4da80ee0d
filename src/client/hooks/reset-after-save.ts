import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';

type Form<Typed extends FieldValues> = Pick<UseFormReturn<Typed>, 'getValues' | 'reset' | 'setValue'>;

/** Resets a form to the given values after a save. Fields that the user has changed since the form was submitted keep what was typed. */
export function resetAfterSave<Typed extends FieldValues>(form: Form<Typed>, submitted: Typed, values: Typed): void {
  const typed = form.getValues();
  form.reset(values);
  for (const name of Object.keys(typed) as Path<Typed>[])
    if (typed[name] !== submitted[name]) form.setValue(name, typed[name], { shouldDirty: true });
}
