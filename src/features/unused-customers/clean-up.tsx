import { Eraser } from 'lucide-react';
import type { ReactNode } from 'react';
import { lazyScreen } from '../../client/navigation/lazy-screen.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { DialogButton } from '../../client/ui/overlays/dialog-button.tsx';
import { CLEAN_UP, CLEAN_UP_MEANS, CLEAN_UP_TITLE } from './texts.ts';

export const UnusedCustomers = lazyScreen(async () => (await import('./unused-customers.tsx')).UnusedCustomers);

/** The Clean Up button of the Customers tab, and its dialog. The script of the dialog's content is loaded on demand. */
export const CleanUp = (): ReactNode => (
  <DialogButton
    trigger={<Button icon={<Eraser className="hidden md:block" aria-hidden />}>{CLEAN_UP}</Button>}
    title={CLEAN_UP_TITLE}
    description={CLEAN_UP_MEANS}
    content={({ onClose }) => <UnusedCustomers onDone={onClose} />}
  />
);
