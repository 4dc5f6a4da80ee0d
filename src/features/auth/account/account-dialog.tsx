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

export function AccountDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const { email, role } = useUser();
  const [hasUnkeptCodes, setHasUnkeptCodes] = useState(false);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={ACCOUNT}
      description={signedInText(email)}
      isDirty={hasUnkeptCodes}
      closeQuestion={CLOSE_WITHOUT_CODES}
    >
      <ChangePassword onChanged={onClose} />
      <ShortcutChoice />
      {mayHaveSecondFactor(role) && <SecondFactorSection onDirty={setHasUnkeptCodes} />}
      <SignOutEverywhere />
      {role === 'customer' && <DownloadMyData />}
    </Dialog>
  );
}
