import { zodResolver } from '@hookform/resolvers/zod';
import type { ComponentProps, ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { toast } from '../../client/toasts/toast.ts';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { TextField } from '../../client/ui/forms/field.tsx';
import { SelectField } from '../../client/ui/forms/select-field.tsx';
import { SkeletonForm } from '../../client/ui/feedback/skeleton.tsx';
import { DialogForm } from '../../client/ui/overlays/dialog-form.tsx';
import { ignoreUnread } from '../../client/previous-values/ignore-unread.ts';
import { useFresh, useRead, useSave } from '../../client/api/use-calls.ts';
import { usePreviousValues } from '../../client/previous-values/use-previous-values.ts';
import { useReportDirty } from '../../client/hooks/use-report-dirty.ts';
import { OrganizationFields, readOrganization, saveOrganization, type Organization } from './contract.ts';
import { zoneOptions } from '../distributions/ordering-times/time-zones.ts';
import { TIME_ZONE } from '../distributions/texts.ts';
import { replacesAnyText } from '../../client/previous-values/texts.ts';
import { SAVE } from '../../client/texts.ts';
import { ADDRESS, CITY, NAME, ORGANIZATION_SAVED, PHONE, STATE, TIME_ZONE_MEANS, ZIP } from './texts.ts';

type TextName = Exclude<keyof Organization, 'timeZone'>;

const FIELDS: readonly ({ name: TextName; label: string } & Pick<ComponentProps<'input'>, 'autoComplete' | 'className' | 'type'>)[] = [
  { name: 'name', label: NAME, autoComplete: 'organization', className: 'col-span-6' },
  { name: 'address', label: ADDRESS, autoComplete: 'address-line1', className: 'col-span-6' },
  { name: 'city', label: CITY, autoComplete: 'address-level2', className: 'col-span-6 sm:col-span-3' },
  { name: 'state', label: STATE, autoComplete: 'address-level1', className: 'col-span-2 sm:col-span-1' },
  { name: 'zip', label: ZIP, autoComplete: 'postal-code', className: 'col-span-4 sm:col-span-2' },
  { name: 'phone', label: PHONE, autoComplete: 'tel', type: 'tel', className: 'col-span-6 sm:col-span-3' },
];

interface FormProps {
  onSaved: () => void;
  onDirty: (isDirty: boolean) => void;
}

export function OrganizationForm(props: FormProps): ReactNode {
  const organization = useRead(readOrganization);
  const isFresh = useFresh([organization]);
  if (organization.data !== undefined && isFresh) return <Fields organization={organization.data} {...props} />;
  return <Pending read={organization} waiting={<SkeletonForm fields={4} />} />;
}

/** Fields that are not set become empty strings. */
const typedFrom = (organization: Organization): Partial<Record<TextName, string>> =>
  Object.fromEntries(FIELDS.map(({ name }) => [name, organization[name] ?? '']));

/** The form takes its initial values from the organization only once. */
function Fields({ organization, onSaved, onDirty }: FormProps & { organization: Organization }): ReactNode {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(OrganizationFields),
    defaultValues: { ...typedFrom(organization), ...(organization.timeZone && { timeZone: organization.timeZone }) },
  });
  const { isDirty, dirtyFields, errors } = formState;
  // The time zone is stored when the distributor sets the first time of a distribution. Until then the form has no field for it (contract
  // §11).
  const { timeZone } = organization;
  const { save, isSaving } = useSave(saveOrganization, {
    refresh: 'always',
    onSaved: () => {
      toast(ORGANIZATION_SAVED);
      onSaved();
    },
  });
  useReportDirty(isDirty, onDirty);
  const { withBefore, onRefused, savedMeanwhile, isUnread } = usePreviousValues(organization);
  const errorOf = (name: keyof Organization) =>
    errors[name]?.message ?? (dirtyFields[name] ? replacesAnyText(savedMeanwhile(name)) : undefined);
  // An unchanged time zone is not sent, because it may have been changed elsewhere since the dialog was opened. Neither are the other
  // unchanged fields saved, but the call requires them.
  const submit = handleSubmit(async ({ timeZone: zone, ...fields }) => {
    const { before, ...changes } = withBefore({ ...fields, timeZone: zone }, dirtyFields);
    const changed = Object.keys(changes) as (keyof Organization)[];
    const saved = await save({ body: { ...fields, ...changes, changed, before } });
    if (!saved.ok) onRefused(saved.error);
  });
  return (
    <DialogForm {...ignoreUnread(isUnread)} submitLabel={SAVE} isSaving={isSaving} onSubmit={submit}>
      <div className="grid grid-cols-6 gap-x-4 gap-y-5">
        {FIELDS.map(({ name, ...field }) => (
          <TextField key={name} {...field} {...register(name)} error={errorOf(name)} />
        ))}
        {timeZone && (
          <SelectField
            label={TIME_ZONE}
            hint={TIME_ZONE_MEANS}
            options={zoneOptions(timeZone)}
            className="col-span-6"
            {...register('timeZone')}
            error={errorOf('timeZone')}
          />
        )}
      </div>
    </DialogForm>
  );
}
