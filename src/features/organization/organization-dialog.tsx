import { zodResolver } from '@hookform/resolvers/zod';
import { Building2 } from 'lucide-react';
import { useEffect, useState, type ComponentProps, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { toast } from '../../client/toast.tsx';
import { Button } from '../../client/ui/button.tsx';
import { Dialog, DialogCancel, DialogFooter } from '../../client/ui/dialog.tsx';
import { ErrorState } from '../../client/ui/error-state.tsx';
import { TextField } from '../../client/ui/field.tsx';
import { Bar, Skeleton } from '../../client/ui/skeleton.tsx';
import { useRead, useSave } from '../../client/use-calls.ts';
import { Organization, readOrganization, saveOrganization } from './contract.ts';
import { ORGANIZATION_SAVED } from './texts.ts';

const FIELDS: readonly ({ name: keyof Organization; label: string } & Pick<
  ComponentProps<'input'>,
  'autoComplete' | 'className' | 'type'
>)[] = [
  { name: 'name', label: 'Name', autoComplete: 'organization', className: 'sm:col-span-6' },
  { name: 'address', label: 'Address', autoComplete: 'address-line1', className: 'sm:col-span-6' },
  { name: 'city', label: 'City', autoComplete: 'address-level2', className: 'sm:col-span-3' },
  { name: 'state', label: 'State', autoComplete: 'address-level1', className: 'sm:col-span-1' },
  { name: 'zip', label: 'ZIP Code', autoComplete: 'postal-code', className: 'sm:col-span-2' },
  { name: 'phone', label: 'Phone Number', autoComplete: 'tel', type: 'tel', className: 'sm:col-span-3' },
];

/** The Organization button with its dialog: the distributor's own name and postal address (contract §3). */
export function OrganizationButton(): ReactNode {
  const [open, setOpen] = useState(false);
  const [isDirty, setIsDirty] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={<Building2 aria-hidden />}>Organization</Button>}
      title="Organization"
      description="Your name and postal address, as printed orders and e-mails show them."
      size="m"
      isDirty={isDirty}
    >
      <OrganizationRead onSaved={() => setOpen(false)} onDirty={setIsDirty} />
    </Dialog>
  );
}

interface FormProps {
  onSaved: () => void;
  onDirty: (isDirty: boolean) => void;
}

function OrganizationRead(props: FormProps): ReactNode {
  const { data, error, refetch, isFetchedAfterMount } = useRead(readOrganization);
  if (error && data === undefined) return <ErrorState text={error.message} onRetry={() => void refetch()} />;
  if (data !== undefined && isFetchedAfterMount) return <OrganizationForm organization={data} {...props} />;
  return (
    <Skeleton className="grid gap-5">
      {FIELDS.slice(0, 4).map(({ name }) => (
        <div key={name} className="grid gap-2">
          <Bar className="h-3.5 w-28" />
          <Bar className="h-10 w-full" />
        </div>
      ))}
    </Skeleton>
  );
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
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-6">
        {FIELDS.map(({ name, ...field }) => (
          <TextField key={name} {...field} {...register(name)} error={errors[name]?.message} />
        ))}
      </div>
      <DialogFooter>
        <DialogCancel />
        <Button type="submit" variant="main" isLoading={isSaving}>
          Save
        </Button>
      </DialogFooter>
    </form>
  );
}
