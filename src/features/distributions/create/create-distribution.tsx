import type { ReactNode } from 'react';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { AddDialog } from '../../../client/ui/overlays/dialog-button.tsx';
import { CREATE_DISTRIBUTION, STAYS_DRAFT } from '../texts.ts';

export const CreateForm = lazyScreen(async () => (await import('./create-form.tsx')).CreateForm);

/** The Create Distribution button with its dialog (spec §2, distributor dashboard). */
export function CreateDistribution(): ReactNode {
  return <AddDialog title={CREATE_DISTRIBUTION} description={STAYS_DRAFT} content={(dialog) => <CreateForm {...dialog} />} />;
}
