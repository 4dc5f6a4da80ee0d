import { Eraser } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { lazyScreen } from '../../client/navigation/lazy-screen.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { Dialog } from '../../client/ui/overlays/dialog.tsx';
import { CLEAN_UP, CLEAN_UP_MEANS, CLEAN_UP_TITLE } from './texts.ts';

export const UnusedCustomers = lazyScreen(async () => (await import('./unused-customers.tsx')).UnusedCustomers);

/** The Clean Up button of the Customers tab, and its dialog. Only the dialog's content is loaded later. */
export function CleanUp(): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={<Eraser className="hidden md:block" aria-hidden />}>{CLEAN_UP}</Button>}
      title={CLEAN_UP_TITLE}
      description={CLEAN_UP_MEANS}
    >
      <UnusedCustomers onDone={() => setOpen(false)} />
    </Dialog>
  );
}
