import { Mail } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { LazyPart } from '../../../client/lazy-part.tsx';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import type { ButtonVariant } from '../../../client/ui/forms/button.tsx';
import { SkeletonForm } from '../../../client/ui/feedback/skeleton.tsx';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { SEND_EMAIL } from '../texts.ts';
import type { Group } from './use-recipients.ts';

const SendEmailDialog = lazyScreen(async () => (await import('./send-email-dialog.tsx')).SendEmailDialog);

interface SendEmailProps {
  /** If present, the customers can be chosen by whether they have an order in this distribution. Otherwise all customers are offered. */
  distributionId?: number;
  variant?: ButtonVariant;
  /** The group that is chosen at first for a new e-mail; by default, all customers. */
  group?: Group;
}

/** The Send Email button and its dialog (spec §2). A draft survives closing the dialog, and is stored on the device. */
export function SendEmail({ distributionId, variant = 'main', group = 'all' }: SendEmailProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const open = (): void => {
    setWasOpened(true);
    setIsOpen(true);
  };
  const close = (): void => setIsOpen(false);
  return (
    <>
      <Button variant={variant} icon={<Mail aria-hidden />} aria-haspopup="dialog" onClick={open}>
        {SEND_EMAIL}
      </Button>
      {wasOpened && (
        <LazyPart
          fallback={
            <Dialog open={isOpen} onClose={close} title={SEND_EMAIL} size="l">
              <SkeletonForm fields={3} />
            </Dialog>
          }
        >
          <SendEmailDialog open={isOpen} onClose={close} distributionId={distributionId} group={group} />
        </LazyPart>
      )}
    </>
  );
}
