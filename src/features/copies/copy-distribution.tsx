import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { lazyScreen } from '../../client/navigation/lazy-screen.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { DialogButton } from '../../client/ui/overlays/dialog-button.tsx';
import type { Distribution } from '../distributions/contract.ts';
import { COPY, COPY_MEANS, copyTitle } from './texts.ts';

export const CopyForm = lazyScreen(async () => (await import('./copy/copy-form.tsx')).CopyForm);

interface CopyDistributionProps {
  distribution: Distribution;
  /** Whether the button is in a list of distributions. If so, its accessible name contains the name of the distribution. */
  isInList?: boolean;
}

/** The Copy button of a distribution, which opens the copy dialog (contract §13). */
export function CopyDistribution({ distribution, isInList = false }: CopyDistributionProps): ReactNode {
  const title = copyTitle(distribution.name);
  return (
    <DialogButton
      trigger={
        <Button icon={<Copy aria-hidden />} aria-label={isInList ? title : undefined}>
          {COPY}
        </Button>
      }
      title={title}
      description={COPY_MEANS}
      size="m"
      content={({ onDirty }) => <CopyForm distribution={distribution} onDirty={onDirty} />}
    />
  );
}
