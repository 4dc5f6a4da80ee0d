import { useCallback, useState, type ReactNode } from 'react';
import { toast } from '../../../client/toasts/toast.ts';
import { ConfirmDialog } from '../../../client/ui/overlays/confirm-dialog.tsx';
import { useSave } from '../../../client/api/use-calls.ts';
import { emailOrName } from '../../../shared/person-name.ts';
import { ForgetCustomer } from '../../former-customers/forget-customer.tsx';
import { useDownloadCustomerData } from '../../personal-data/download-data.tsx';
import { changeUser, disableUser, enableUser, inviteUser, signOutUser, unlockUser, type UserItem } from '../contract.ts';
import { resetAgentFactor } from '../../second-factor/contract.ts';
import { EditContact } from './edit-contact.tsx';
import { CorrectEmail } from './correct-email.tsx';
import {
  admittedText,
  allowedText,
  DISABLE,
  DISABLE_MEANS,
  DISABLED,
  disableQuestion,
  ENABLED,
  forbiddenText,
  INVITATION_SENT,
  INVITATION_SENT_AGAIN,
  onItsWayText,
  PAYMENTS_ALLOWED,
  PAYMENTS_FORBIDDEN,
  releasedText,
  REMOVE_FACTOR_MEANS,
  REMOVE_SECOND_FACTOR,
  removedFactorText,
  removeFactorQuestion,
  requiredText,
  SECOND_FACTOR_RELEASED,
  SECOND_FACTOR_REMOVED,
  SECOND_FACTOR_REQUIRED,
  shutOutText,
  SIGNED_OUT,
  signedOutText,
  UNLOCKED,
  type People,
} from '../texts.ts';

type UserAction =
  | 'edit'
  | 'unlock'
  | 'invite'
  | 'mend'
  | 'sign-out'
  | 'download'
  | 'forget'
  | 'disable'
  | 'enable'
  | 'allow-payments'
  | 'forbid-payments'
  | 'require-second-factor'
  | 'release-second-factor'
  | 'second-factor-off';
/** The actions that open a dialog. All other actions run at once. */
type Dialogs = 'edit' | 'mend' | 'forget' | 'disable' | 'second-factor-off';
const opensDialog = (act: UserAction): act is Dialogs => ['edit', 'mend', 'forget', 'disable', 'second-factor-off'].includes(act);
export type OnUserAction = (act: UserAction, user: UserItem) => void;

/**
 * Returns the actions on a person in the list (contract §3). `act` runs an action, or opens the dialog of the action. The caller must
 * render `dialogs`.
 */
export function useUserActions(people: People): { act: OnUserAction; dialogs: ReactNode } {
  const [asked, setAsked] = useState<{ act: Dialogs; user: UserItem } | null>(null);
  const { save: unlock } = useSave(unlockUser);
  const { save: invite } = useSave(inviteUser);
  const { save: disable } = useSave(disableUser);
  const { save: enable } = useSave(enableUser);
  const { save: signOut } = useSave(signOutUser);
  const { save: change } = useSave(changeUser);
  const downloadData = useDownloadCustomerData();
  const { save: removeFactor } = useSave(resetAgentFactor);

  const act = useCallback<OnUserAction>(
    (wanted, user) => {
      const params = { role: people, userId: user.userId };
      const then = async (saved: Promise<{ ok: boolean }>, title: string, description: string): Promise<void> => {
        if ((await saved).ok) toast({ title, description });
      };
      const name = emailOrName(user);
      if (opensDialog(wanted)) setAsked({ act: wanted, user });
      else if (wanted === 'download') downloadData(user.userId);
      else if (wanted === 'unlock') void then(unlock({ params }), UNLOCKED, admittedText({ ...user, name }));
      else if (wanted === 'invite')
        void then(invite({ params }), user.isInvited ? INVITATION_SENT_AGAIN : INVITATION_SENT, onItsWayText(name));
      else if (wanted === 'allow-payments')
        void then(change({ params, body: { mayTakePayments: true } }), PAYMENTS_ALLOWED, allowedText(name));
      else if (wanted === 'forbid-payments')
        void then(change({ params, body: { mayTakePayments: false } }), PAYMENTS_FORBIDDEN, forbiddenText(name));
      else if (wanted === 'require-second-factor')
        void then(change({ params, body: { requireSecondFactor: true } }), SECOND_FACTOR_REQUIRED, requiredText(name));
      else if (wanted === 'release-second-factor')
        void then(change({ params, body: { requireSecondFactor: false } }), SECOND_FACTOR_RELEASED, releasedText(name));
      else if (wanted === 'sign-out') void then(signOut({ params }), SIGNED_OUT, signedOutText(name));
      else void then(enable({ params }), ENABLED, admittedText({ ...user, name }));
    },
    [people, unlock, invite, enable, signOut, change, downloadData],
  );
  const disableAsked = async (user: UserItem): Promise<void> => {
    const { ok } = await disable({ params: { role: people, userId: user.userId } });
    if (ok) toast({ title: DISABLED, description: shutOutText(emailOrName(user)) });
  };
  const removeFactorAsked = async (user: UserItem): Promise<void> => {
    const { ok } = await removeFactor({ params: { userId: user.userId } });
    if (ok) toast({ title: SECOND_FACTOR_REMOVED, description: removedFactorText(emailOrName(user)) });
  };
  const close = (): void => setAsked(null);
  const dialogs = asked && (
    <>
      {asked.act === 'edit' && <EditContact people={people} userId={asked.user.userId} onClose={close} />}
      {asked.act === 'mend' && <CorrectEmail people={people} user={asked.user} onClose={close} />}
      {asked.act === 'forget' && <ForgetCustomer userId={asked.user.userId} name={emailOrName(asked.user)} onClose={close} />}
      {asked.act === 'second-factor-off' && (
        <ConfirmDialog
          title={removeFactorQuestion(emailOrName(asked.user))}
          confirmLabel={REMOVE_SECOND_FACTOR}
          isDanger
          onConfirm={() => void removeFactorAsked(asked.user)}
          onClose={close}
        >
          {REMOVE_FACTOR_MEANS}
        </ConfirmDialog>
      )}
      {asked.act === 'disable' && (
        <ConfirmDialog
          title={disableQuestion(emailOrName(asked.user))}
          confirmLabel={DISABLE}
          isDanger
          onConfirm={() => void disableAsked(asked.user)}
          onClose={close}
        >
          {DISABLE_MEANS}
        </ConfirmDialog>
      )}
    </>
  );
  return { act, dialogs };
}
