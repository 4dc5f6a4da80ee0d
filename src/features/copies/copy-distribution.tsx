import { Copy } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { lazyScreen } from '../../client/navigation/lazy-screen.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { Dialog } from '../../client/ui/overlays/dialog.tsx';
import type { Distribution } from '../distributions/contract.ts';
import { COPY, COPY_MEANS, copyTitle } from './texts.ts';

export const CopyForm = lazyScreen(async () => (await import('./copy/copy-form.tsx')).CopyForm);

/** The Copy button of a distribution with its dialog (contract §13). */
export function CopyDistribution({ distribution }: { distribution: Distribution }): ReactNode {
  const [open, setOpen] = useState(false);
  const [isDirty, setIsDirty] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={<Copy aria-hidden />}>{COPY}</Button>}
      title={copyTitle(distribution.name)}
      description={COPY_MEANS}
      size="m"
      isDirty={isDirty}
    >
      <CopyForm distribution={distribution} onDirty={setIsDirty} />
    </Dialog>
  );
}
