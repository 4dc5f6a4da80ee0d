import { useState, type ReactNode } from 'react';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { DownloadMyData } from '../../personal-data/download-data.tsx';
import { mayHaveSecondFactor } from '../../../domain/accounts/second-factor.ts';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { useUser } from '../auth-provider.tsx';
import { CLOSE_WITHOUT_CODES } from '../../second-factor/texts.ts';
import { ChangePassword } from './change-password.tsx';
import { ShortcutChoice } from './shortcut-choice.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';
import { ACCOUNT, signedInText } from '../texts.ts';

const SecondFactorSection = lazyScreen(async () => (await import('../../second-factor/second-factor-section.tsx')).SecondFactorSection);

export interface AccountDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function AccountDialog({ open, onOpenChange }: AccountDialogProps): ReactNode {
  const { email, role } = useUser();
  const [hasUnkeptCodes, setHasUnkeptCodes] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={ACCOUNT}
      description={signedInText(email)}
      isDirty={hasUnkeptCodes}
      closeQuestion={CLOSE_WITHOUT_CODES}
    >
      <ChangePassword onChanged={() => onOpenChange(false)} />
      <ShortcutChoice />
      {mayHaveSecondFactor(role) && <SecondFactorSection onDirty={setHasUnkeptCodes} />}
      <SignOutEverywhere />
      {role === 'customer' && <DownloadMyData />}
    </Dialog>
  );
}
