import { Building2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { lazyScreen } from '../../client/navigation/lazy-screen.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { Dialog } from '../../client/ui/overlays/dialog.tsx';
import { useRead } from '../../client/api/use-calls.ts';
import { readOrganization } from './contract.ts';
import { ENTER_THEM, NO_NAME_YET, ORGANIZATION, ORGANIZATION_MEANS } from './texts.ts';

export const OrganizationForm = lazyScreen(async () => (await import('./organization-form.tsx')).OrganizationForm);

/** The Organization button and its dialog with the distributor's name, postal address and time zone (contract §3). */
export function OrganizationButton({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }): ReactNode {
  const [isDirty, setIsDirty] = useState(false);
  return (
    <Dialog
      open={open}
      onOpen={() => onOpenChange(true)}
      onClose={() => onOpenChange(false)}
      trigger={
        // On phones, this button is in a line of its own below the page's title, without a border.
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
      <OrganizationForm onSaved={() => onOpenChange(false)} onDirty={setIsDirty} />
    </Dialog>
  );
}

/** Asks a distributor whose organization has no name to enter one, because prints and mails show the name. */
export function OrganizationHint({ onOpen }: { onOpen: () => void }): ReactNode {
  const { data } = useRead(readOrganization);
  if (data?.name !== null) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-s text-ink-soft">
      {NO_NAME_YET}
      <button type="button" aria-haspopup="dialog" onClick={onOpen} className="link min-h-11 dense:min-h-8">
        {ENTER_THEM}
      </button>
    </p>
  );
}
