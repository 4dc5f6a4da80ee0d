import { Mail } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import type { ButtonVariant } from '../../../client/ui/forms/button.tsx';
import { SEND_EMAIL } from '../texts.ts';
import type { Group } from './use-recipients.ts';

const SendEmailDialog = lazy(async () => ({ default: (await import('./send-email-dialog.tsx')).SendEmailDialog }));

export interface SendEmailProps {
  /** Offers the customers of this distribution with or without an order; undefined: offers all customers. */
  distributionId?: number;
  variant?: ButtonVariant;
  /** The preselected recipients of a new e-mail. */
  group?: Group;
}

/** The Send Email button and dialog (spec §2). Typing stays while the screen is open, and on the device. */
export function SendEmail({ distributionId, variant = 'main', group = 'all' }: SendEmailProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const open = (): void => {
    setWasOpened(true);
    setIsOpen(true);
  };
  return (
    <>
      <Button variant={variant} icon={<Mail aria-hidden />} aria-haspopup="dialog" onClick={open}>
        {SEND_EMAIL}
      </Button>
      {wasOpened && (
        <Suspense fallback={null}>
          <SendEmailDialog open={isOpen} onOpenChange={setIsOpen} distributionId={distributionId} group={group} />
        </Suspense>
      )}
    </>
  );
}
