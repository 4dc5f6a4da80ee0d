import { zodResolver } from '@hookform/resolvers/zod';
import { Building2 } from 'lucide-react';
import { useEffect, useState, type ComponentProps, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { toast } from '../../client/toast.tsx';
import { Button } from '../../client/ui/button.tsx';
import { Dialog, DialogCancel, DialogFooter } from '../../client/ui/dialog.tsx';
import { ErrorState } from '../../client/ui/error-state.tsx';
import { TextField } from '../../client/ui/field.tsx';
import { SkeletonForm } from '../../client/ui/skeleton.tsx';
import { useFresh, useRead, useSave } from '../../client/use-calls.ts';
import { Organization, readOrganization, saveOrganization } from './contract.ts';
import {
  ADDRESS,
  CITY,
  ENTER_THEM,
  NAME,
  NO_NAME_YET,
  ORGANIZATION,
  ORGANIZATION_MEANS,
  ORGANIZATION_SAVED,
  PHONE,
  SAVE,
  STATE,
  ZIP,
} from './texts.ts';

const FIELDS: readonly ({ name: keyof Organization; label: string } & Pick<
  ComponentProps<'input'>,
  'autoComplete' | 'className' | 'type'
>)[] = [
  { name: 'name', label: NAME, autoComplete: 'organization', className: 'col-span-6' },
  { name: 'address', label: ADDRESS, autoComplete: 'address-line1', className: 'col-span-6' },
  { name: 'city', label: CITY, autoComplete: 'address-level2', className: 'col-span-6 sm:col-span-3' },
  { name: 'state', label: STATE, autoComplete: 'address-level1', className: 'col-span-2 sm:col-span-1' },
  { name: 'zip', label: ZIP, autoComplete: 'postal-code', className: 'col-span-4 sm:col-span-2' },
  { name: 'phone', label: PHONE, autoComplete: 'tel', type: 'tel', className: 'col-span-6 sm:col-span-3' },
];

export interface OrganizationButtonProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The Organization button with its dialog: the distributor's own name and postal address (contract §3). */
export function OrganizationButton({ open, onOpenChange }: OrganizationButtonProps): ReactNode {
  const [isDirty, setIsDirty] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={
        // Below the title of a phone a line of its own, not a lonely box.
        <Button
          icon={<Building2 aria-hidden />}
          className="max-md:-my-2 max-md:-ms-2.5 max-md:border-transparent max-md:bg-transparent max-md:text-ink-soft"
        >
          {ORGANIZATION}
        </Button>
      }
      title={ORGANIZATION}
      description={ORGANIZATION_MEANS}
      size="m"
      isDirty={isDirty}
    >
      <OrganizationRead onSaved={() => onOpenChange(false)} onDirty={setIsDirty} />
    </Dialog>
  );
}

/** A quiet line while the organization has no name: without it prints and mails do not say whose they are. */
export function OrganizationHint({ onOpen }: { onOpen: () => void }): ReactNode {
  const { data } = useRead(readOrganization);
  if (data?.name.trim() !== '') return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-s text-ink-soft">
      {NO_NAME_YET}
      <button type="button" aria-haspopup="dialog" onClick={onOpen} className="link min-h-11 md:min-h-8">
        {ENTER_THEM}
      </button>
    </p>
  );
}

interface FormProps {
  onSaved: () => void;
  onDirty: (isDirty: boolean) => void;
}

function OrganizationRead(props: FormProps): ReactNode {
  const organization = useRead(readOrganization);
  const { data, error, refetch } = organization;
  const isFresh = useFresh([organization]);
  if (data !== undefined && isFresh) return <OrganizationForm organization={data} {...props} />;
  if (error) return <ErrorState text={error.message} onRetry={() => void refetch()} />;
  return <SkeletonForm fields={4} />;
}

/** What is typed is seeded from the read once. */
function OrganizationForm({ organization, onSaved, onDirty }: FormProps & { organization: Organization }): ReactNode {
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(Organization), defaultValues: organization });
  const { isDirty, errors } = formState;
  const { save, isSaving } = useSave(saveOrganization, {
    onSaved: () => {
      toast(ORGANIZATION_SAVED);
      onSaved();
    },
  });
  useEffect(() => {
    onDirty(isDirty);
    return () => onDirty(false);
  }, [isDirty, onDirty]);
  return (
    <form noValidate onSubmit={(event) => void handleSubmit((body) => save({ body }))(event)}>
      <div className="grid grid-cols-6 gap-x-4 gap-y-5">
        {FIELDS.map(({ name, ...field }) => (
          <TextField key={name} {...field} {...register(name)} error={errors[name]?.message} />
        ))}
      </div>
      <DialogFooter>
        <DialogCancel />
        <Button type="submit" variant="main" isLoading={isSaving}>
          {SAVE}
        </Button>
      </DialogFooter>
    </form>
  );
}
