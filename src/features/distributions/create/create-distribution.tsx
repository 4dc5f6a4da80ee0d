import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { CREATE_DISTRIBUTION, STAYS_DRAFT } from '../texts.ts';

export const CreateForm = lazyScreen(async () => (await import('./create-form.tsx')).CreateForm);

/** The Create Distribution button with its dialog (spec §2, distributor dashboard). */
export function CreateDistribution(): ReactNode {
  const [open, setOpen] = useState(false);
  const [isDirty, setIsDirty] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="main" icon={<Plus aria-hidden />}>
          {CREATE_DISTRIBUTION}
        </Button>
      }
      title={CREATE_DISTRIBUTION}
      description={STAYS_DRAFT}
      isDirty={isDirty}
    >
      <CreateForm onClose={() => setOpen(false)} onDirty={setIsDirty} />
    </Dialog>
  );
}
