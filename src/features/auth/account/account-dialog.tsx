import { useState, type ReactNode } from 'react';
import { useSave } from '../../../client/api/use-calls.ts';
import { areShortcutsOn, setShortcutsOn } from '../../../client/focus/shortcut-preference.ts';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { CheckField } from '../../../client/ui/forms/field.tsx';
import { ConfirmDialog } from '../../../client/ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { mayHaveSecondFactor } from '../../../domain/accounts/second-factor.ts';
import { DownloadMyData } from '../../personal-data/download-data.tsx';
import { CLOSE_WITHOUT_CODES } from '../../second-factor/texts.ts';
import { useAuth, useUser } from '../auth-provider.tsx';
import { signOutEverywhere } from '../contract.ts';
import { ChangePassword } from './change-password.tsx';
import { useSignOutQuestion } from './use-sign-out-question.tsx';
import { OTHER_DEVICES, OTHER_DEVICES_LEAD, SIGN_OUT_QUESTION, signedInText, SLASH, SLASH_LEAD } from './texts.ts';
import { ACCOUNT, SIGN_OUT_EVERYWHERE } from '../texts.ts';

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

/** Renders the checkbox that switches single-key shortcuts off on this device. The checkbox is hidden on phones, which have no keyboard. */
function ShortcutChoice(): ReactNode {
  const [isOn, setIsOn] = useState(areShortcutsOn);
  const choose = (next: boolean): void => {
    setShortcutsOn(next);
    setIsOn(next);
  };
  return (
    <section className="mt-7 hidden border-t border-line pt-5 md:block">
      <CheckField label={SLASH} hint={SLASH_LEAD} checked={isOn} onChange={(event) => choose(event.target.checked)} />
    </section>
  );
}

export function SignOutEverywhere(): ReactNode {
  const { clearUser } = useAuth();
  const { save, isSaving } = useSave(signOutEverywhere, { refresh: false });
  const { ask, question } = useSignOutQuestion({
    onYes: async (loss) => {
      if ((await save()).ok) clearUser(loss);
      return false;
    },
  });
  return (
    <section className="mt-7 grid gap-3 border-t border-line pt-6">
      <h3 className="font-semibold">{OTHER_DEVICES}</h3>
      <p className="text-s text-ink-soft">{OTHER_DEVICES_LEAD}</p>
      <ConfirmDialog
        trigger={
          <Button className="md:justify-self-start" isLoading={isSaving}>
            {SIGN_OUT_EVERYWHERE}
          </Button>
        }
        title={SIGN_OUT_QUESTION.title}
        confirmLabel={SIGN_OUT_EVERYWHERE}
        onConfirm={() => void ask()}
      >
        {SIGN_OUT_QUESTION.description}
      </ConfirmDialog>
      {question}
    </section>
  );
}
