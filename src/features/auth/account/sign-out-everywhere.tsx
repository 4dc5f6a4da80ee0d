import type { ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { ConfirmDialog } from '../../../client/ui/overlays/confirm-dialog.tsx';
import { useSave } from '../../../client/api/use-calls.ts';
import { useAuth } from '../auth-provider.tsx';
import { signOutEverywhere } from '../contract.ts';
import { useSignOutQuestion } from './use-sign-out-question.tsx';
import { OTHER_DEVICES, OTHER_DEVICES_LEAD, SIGN_OUT_EVERYWHERE, SIGN_OUT_QUESTION } from '../texts.ts';

export function SignOutEverywhere(): ReactNode {
  const { clearUser } = useAuth();
  const { save, isSaving } = useSave(signOutEverywhere, { refresh: false, onSaved: clearUser });
  const { ask, question } = useSignOutQuestion({ onYes: () => save() });
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
