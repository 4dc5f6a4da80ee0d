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
import { ACTION_QUESTIONS, ACTION_TEXTS, type People } from '../texts.ts';

/** The actions that one request performs. */
type SavedAction = keyof typeof ACTION_TEXTS;
type ConfirmedAction = keyof typeof ACTION_QUESTIONS;
export type UserAction = SavedAction | 'download' | 'edit' | 'add-email' | 'correct-email' | 'forget';
export type OnUserAction = (act: UserAction, user: UserItem) => void;

const isSaved = (act: UserAction): act is SavedAction => act in ACTION_TEXTS;
const mustBeConfirmed = (act: UserAction): act is ConfirmedAction => act in ACTION_QUESTIONS;

/** Returns a function that performs an action on a person and shows its result in a toast (contract §3). */
function useSavedActions(people: People): (act: SavedAction, user: UserItem) => Promise<void> {
  const { save: unlock } = useSave(unlockUser);
  const { save: invite } = useSave(inviteUser);
  const { save: disable } = useSave(disableUser);
  const { save: enable } = useSave(enableUser);
  const { save: signOut } = useSave(signOutUser);
  const { save: change } = useSave(changeUser);
  const { save: removeFactor } = useSave(resetAgentFactor);
  return useCallback(
    async (act, user) => {
      const params = { role: people, userId: user.userId };
      const requests: Record<SavedAction, () => Promise<{ ok: boolean }>> = {
        unlock: () => unlock({ params }),
        enable: () => enable({ params }),
        disable: () => disable({ params }),
        invite: () => invite({ params }),
        'invite-again': () => invite({ params }),
        'sign-out': () => signOut({ params }),
        'allow-payments': () => change({ params, body: { mayTakePayments: true } }),
        'forbid-payments': () => change({ params, body: { mayTakePayments: false } }),
        'require-second-factor': () => change({ params, body: { requireSecondFactor: true } }),
        'release-second-factor': () => change({ params, body: { requireSecondFactor: false } }),
        'second-factor-off': () => removeFactor({ params: { userId: user.userId } }),
      };
      const { ok } = await requests[act]();
      const { done, result } = ACTION_TEXTS[act];
      if (ok) toast({ title: done, description: result({ ...user, name: emailOrName(user) }) });
    },
    [people, unlock, invite, disable, enable, signOut, change, removeFactor],
  );
}

/**
 * Returns the actions on a person in the list. `act` runs an action, or opens the dialog of the action. The caller must render `dialogs`.
 */
export function useUserActions(people: People, users: readonly UserItem[]): { act: OnUserAction; dialogs: ReactNode } {
  const [toConfirm, setToConfirm] = useState<{ act: UserAction; user: UserItem } | null>(null);
  const save = useSavedActions(people);
  const downloadData = useDownloadCustomerData();
  const act = useCallback<OnUserAction>(
    (wanted, user) => {
      if (wanted === 'download') downloadData(user.userId);
      else if (isSaved(wanted) && !mustBeConfirmed(wanted)) void save(wanted, user);
      else setToConfirm({ act: wanted, user });
    },
    [save, downloadData],
  );
  if (toConfirm === null) return { act, dialogs: null };
  // The list may have been read again since the dialog was opened.
  const user = users.find(({ userId }) => userId === toConfirm.user.userId) ?? toConfirm.user;
  const close = () => setToConfirm(null);
  return { act, dialogs: <ActionDialog people={people} act={toConfirm.act} user={user} onConfirm={save} onClose={close} /> };
}

interface ActionDialogProps {
  people: People;
  act: UserAction;
  user: UserItem;
  onConfirm: (act: ConfirmedAction, user: UserItem) => Promise<void>;
  onClose: () => void;
}

function ActionDialog({ people, act, user, onConfirm, onClose }: ActionDialogProps): ReactNode {
  if (act === 'edit') return <EditContact people={people} userId={user.userId} onClose={onClose} />;
  if (act === 'forget') return <ForgetCustomer userId={user.userId} name={emailOrName(user)} onClose={onClose} />;
  if (!mustBeConfirmed(act)) return <CorrectEmail people={people} user={user} onClose={onClose} />;
  const { question, means } = ACTION_QUESTIONS[act];
  return (
    <ConfirmDialog
      title={question(emailOrName(user))}
      confirmLabel={ACTION_TEXTS[act].label}
      isDanger
      onConfirm={() => void onConfirm(act, user)}
      onClose={onClose}
    >
      {means}
    </ConfirmDialog>
  );
}
