import {
  AtSign,
  Ban,
  Banknote,
  Download,
  EllipsisVertical,
  Eraser,
  KeyRound,
  LockOpen,
  LogOut,
  Mail,
  PencilLine,
  RotateCcw,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../../client/ui/forms/button.tsx';
import type { MenuItem } from '../../../client/ui/overlays/menu-item.ts';
import { Menu } from '../../../client/ui/overlays/menu.tsx';
import { Badge } from '../../../client/ui/feedback/badge.tsx';
import { RowActions } from '../../../client/ui/table/row-actions.tsx';
import type { Column } from '../../../client/ui/table/table-column.ts';
import { sortName, emailOrName, searchTextOf } from '../../../shared/person-name.ts';
import { isLocked } from '../../../domain/accounts/account.ts';
import { FORGET } from '../../former-customers/texts.ts';
import { DOWNLOAD_DATA } from '../../personal-data/texts.ts';
import type { UserItem } from '../contract.ts';
import { ACTIONS } from '../../../client/texts.ts';
import {
  ACTION_TEXTS,
  ADD_EMAIL,
  CORRECT_ADDRESS,
  EDIT_CONTACT,
  EMAIL,
  ID,
  INVITED_PILL,
  IS_DISABLED_PILL,
  IS_LOCKED_PILL,
  moreActionsLabel,
  NAME,
  NO_ADDRESS,
  NOT_INVITED_PILL,
  SECOND_FACTOR_MISSING_PILL,
  SECOND_FACTOR_PILL,
  TAKES_PAYMENTS_PILL,
  unlockLabel,
  type People,
} from '../texts.ts';
import type { OnUserAction, UserAction } from './user-actions.tsx';

const nameOf = (user: UserItem): string => sortName(user.firstName, user.lastName);
const isLockedNow = ({ lockedUntil }: UserItem): boolean => isLocked(lockedUntil === null ? null : new Date(lockedUntil), new Date());

/** Returns the columns ID, Email, Name and Actions (spec §2). */
export const userColumns = (people: People, onAct: OnUserAction): readonly Column<UserItem>[] => [
  { id: 'id', header: ID, value: (user) => user.userId, align: 'end', width: '6rem' },
  {
    id: 'email',
    header: EMAIL,
    value: (user) => user.email,
    filter: 'toggle',
    card: 'title',
    cell: (user) => <EmailAndState user={user} />,
  },
  {
    id: 'name',
    header: NAME,
    value: (user) => nameOf(user) || null,
    filter: 'words',
    text: searchTextOf,
    cell: (user) => nameOf(user) || <span className="text-ink-soft">—</span>,
  },
  {
    id: 'actions',
    header: ACTIONS,
    value: () => null,
    card: 'corner',
    align: 'end',
    width: '11rem',
    cell: (user) => <UserActions people={people} user={user} onAct={onAct} />,
  },
];

function EmailAndState({ user }: { user: UserItem }): ReactNode {
  return (
    <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <span className="min-w-0 break-words">{user.email ?? <span className="font-normal text-ink-soft">{NO_ADDRESS}</span>}</span>
      {user.isDisabled && <Badge tone="bad">{IS_DISABLED_PILL}</Badge>}
      {user.mayTakePayments && <Badge tone="good">{TAKES_PAYMENTS_PILL}</Badge>}
      {isLockedNow(user) && <Badge tone="bad">{IS_LOCKED_PILL}</Badge>}
      {user.hasSecondFactor && <Badge tone="none">{SECOND_FACTOR_PILL}</Badge>}
      {user.requireSecondFactor && !user.hasSecondFactor && <Badge tone="wait">{SECOND_FACTOR_MISSING_PILL}</Badge>}
      {user.email !== null && !user.hasSignedIn && !user.isDisabled && (
        <Badge tone={user.isInvited ? 'wait' : 'none'}>{user.isInvited ? INVITED_PILL : NOT_INVITED_PILL}</Badge>
      )}
    </span>
  );
}

function UserActions({ people, user, onAct }: { people: People; user: UserItem; onAct: OnUserAction }): ReactNode {
  return (
    <div className="flex justify-end">
      <RowActions>
        {isLockedNow(user) && (
          <Button
            size="s"
            icon={<LockOpen aria-hidden />}
            aria-label={unlockLabel(emailOrName(user))}
            onClick={() => onAct('unlock', user)}
          >
            {ACTION_TEXTS.unlock.label}
          </Button>
        )}
        <Menu
          trigger={<IconButton label={moreActionsLabel(emailOrName(user))} icon={<EllipsisVertical aria-hidden />} className="md:-me-3" />}
          items={actionsOn(people, user).map((act) => menuItem(act, () => onAct(act, user)))}
        />
      </RowActions>
    </div>
  );
}

const MENU: Readonly<Record<UserAction, { readonly label: string; readonly Icon: LucideIcon }>> = {
  unlock: { ...ACTION_TEXTS.unlock, Icon: LockOpen },
  enable: { ...ACTION_TEXTS.enable, Icon: RotateCcw },
  disable: { ...ACTION_TEXTS.disable, Icon: Ban },
  invite: { ...ACTION_TEXTS.invite, Icon: Mail },
  'invite-again': { ...ACTION_TEXTS['invite-again'], Icon: Mail },
  'add-email': { label: ADD_EMAIL, Icon: AtSign },
  'correct-email': { label: CORRECT_ADDRESS, Icon: AtSign },
  'sign-out': { ...ACTION_TEXTS['sign-out'], Icon: LogOut },
  'allow-payments': { ...ACTION_TEXTS['allow-payments'], Icon: Banknote },
  'forbid-payments': { ...ACTION_TEXTS['forbid-payments'], Icon: Banknote },
  'require-second-factor': { ...ACTION_TEXTS['require-second-factor'], Icon: KeyRound },
  'release-second-factor': { ...ACTION_TEXTS['release-second-factor'], Icon: KeyRound },
  'second-factor-off': { ...ACTION_TEXTS['second-factor-off'], Icon: KeyRound },
  edit: { label: EDIT_CONTACT, Icon: PencilLine },
  download: { label: DOWNLOAD_DATA, Icon: Download },
  forget: { label: FORGET, Icon: Eraser },
};

function menuItem(act: UserAction, onSelect: () => void): MenuItem {
  const { label, Icon } = MENU[act];
  return { label, icon: <Icon aria-hidden />, isDanger: act === 'disable' || act === 'forget', onSelect };
}

/**
 * Returns the actions in a person's menu. Until the person has signed in for the first time, staff can correct the e-mail address and send
 * the invitation again (contract §3).
 */
function actionsOn(people: People, user: UserItem): UserAction[] {
  const ofCustomer: UserAction[] = people === 'customer' ? ['download', 'forget'] : [];
  if (user.isDisabled) return ['enable', ...ofCustomer];
  const beforeSignIn: UserAction[] = user.email === null ? ['add-email'] : [user.isInvited ? 'invite-again' : 'invite', 'correct-email'];
  const ofAgent = people === 'agent' ? agentActions(user) : [];
  return [...(user.hasSignedIn ? (['sign-out'] as const) : beforeSignIn), ...ofAgent, 'edit', ...ofCustomer, 'disable'];
}

/** Only agents can get the permission to take payments (contract §14), and only of them a second factor can be required (contract §19). */
const agentActions = ({ mayTakePayments, requireSecondFactor, hasSecondFactor }: UserItem): UserAction[] => [
  mayTakePayments ? 'forbid-payments' : 'allow-payments',
  requireSecondFactor ? 'release-second-factor' : 'require-second-factor',
  ...(hasSecondFactor ? (['second-factor-off'] as const) : []),
];
