import { Ban, EllipsisVertical, KeyRound, LockOpen, LogOut, RotateCcw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { IconButton } from '../../client/ui/forms/button.tsx';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import type { MenuItem } from '../../client/ui/overlays/menu-item.ts';
import { Menu } from '../../client/ui/overlays/menu.tsx';
import { isLocked } from '../../domain/accounts/account.ts';
import { resetDistributorFactor } from '../second-factor/contract.ts';
import { disableDistributor, enableDistributor, signOutDistributor, unlockDistributor, type DistributorState } from './contract.ts';
import { ACTION_TEXTS, ACTS_DONE, moreActionsLabel } from './texts.ts';

type Act = keyof typeof ACTION_TEXTS;

const ICONS: Record<Act, ReactNode> = {
  unlock: <LockOpen aria-hidden />,
  'sign-out': <LogOut aria-hidden />,
  'second-factor-off': <KeyRound aria-hidden />,
  disable: <Ban aria-hidden />,
  enable: <RotateCcw aria-hidden />,
};

export const isLockedNow = ({ lockedUntil }: DistributorState): boolean =>
  isLocked(lockedUntil === null ? null : new Date(lockedUntil), new Date());

function actsOf(state: DistributorState): Act[] {
  if (state.isDisabled) return ['enable'];
  return [
    ...(isLockedNow(state) ? (['unlock'] as const) : []),
    ...(state.hasSignedIn ? (['sign-out'] as const) : []),
    ...(state.hasSecondFactor ? (['second-factor-off'] as const) : []),
    'disable',
  ];
}

/** The menu of a distributor's row. The admin must confirm every action. */
export function DistributorActions({ email, state }: { email: string; state: DistributorState }): ReactNode {
  const [toConfirm, setToConfirm] = useState<Act | null>(null);
  const saves = {
    unlock: useSave(unlockDistributor).save,
    'sign-out': useSave(signOutDistributor).save,
    'second-factor-off': useSave(resetDistributorFactor).save,
    disable: useSave(disableDistributor).save,
    enable: useSave(enableDistributor).save,
  };
  const confirm = async (act: Act): Promise<void> => {
    const { ok } = await saves[act]({ params: { distributorId: state.id } });
    if (ok) toast({ title: ACTS_DONE[act], description: ACTION_TEXTS[act].result(email) });
  };
  const items = actsOf(state).map((act): MenuItem => ({
    label: ACTION_TEXTS[act].label,
    icon: ICONS[act],
    isDanger: act === 'disable',
    onSelect: () => setToConfirm(act),
  }));
  return (
    <>
      <Menu
        trigger={<IconButton label={moreActionsLabel(email)} icon={<EllipsisVertical aria-hidden />} className="-me-3" />}
        items={items}
      />
      {toConfirm && (
        <ConfirmDialog
          title={ACTION_TEXTS[toConfirm].question(email)}
          confirmLabel={ACTION_TEXTS[toConfirm].label}
          isDanger={toConfirm === 'disable'}
          onConfirm={() => void confirm(toConfirm)}
          onClose={() => setToConfirm(null)}
        >
          {ACTION_TEXTS[toConfirm].means}
        </ConfirmDialog>
      )}
    </>
  );
}
