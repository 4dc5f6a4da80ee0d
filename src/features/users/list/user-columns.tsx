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
import { SIGN_OUT_EVERYWHERE } from '../../auth/texts.ts';
import { FORGET } from '../../former-customers/texts.ts';
import { DOWNLOAD_DATA } from '../../personal-data/texts.ts';
import type { UserItem } from '../contract.ts';
import type { People } from '../texts.ts';
import { ACTIONS } from '../../../client/texts.ts';
import {
  ADD_EMAIL,
  ALLOW_PAYMENTS,
  CORRECT_ADDRESS,
  DISABLE,
  EDIT_CONTACT,
  EMAIL,
  ENABLE,
  FORBID_PAYMENTS,
  ID,
  INVITED_PILL,
  IS_DISABLED_PILL,
  IS_LOCKED_PILL,
  moreActionsLabel,
  NAME,
  NO_ADDRESS,
  NOT_INVITED_PILL,
  RELEASE_SECOND_FACTOR,
  REMOVE_SECOND_FACTOR,
  REQUIRE_SECOND_FACTOR,
  SECOND_FACTOR_MISSING_PILL,
  SECOND_FACTOR_PILL,
  SEND_INVITATION,
  SEND_INVITATION_AGAIN,
  TAKES_PAYMENTS_PILL,
  UNLOCK,
  unlockLabel,
} from '../texts.ts';
import type { OnUserAction } from './user-actions.tsx';

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
            {UNLOCK}
          </Button>
        )}
        <Menu
          trigger={<IconButton label={moreActionsLabel(emailOrName(user))} icon={<EllipsisVertical aria-hidden />} className="md:-me-3" />}
          items={itemsOf(people, user, onAct)}
        />
      </RowActions>
    </div>
  );
}

/**
 * Returns the entries of a person's menu. Until the person has signed in for the first time, staff can correct the e-mail address and send
 * the invitation again (contract §3).
 */
function itemsOf(people: People, user: UserItem, onAct: OnUserAction): MenuItem[] {
  const data = people === 'customer' ? dataItems(user, onAct) : [];
  if (user.isDisabled) return [{ label: ENABLE, icon: <RotateCcw aria-hidden />, onSelect: () => onAct('enable', user) }, ...data];
  const invite: MenuItem = {
    label: user.isInvited ? SEND_INVITATION_AGAIN : SEND_INVITATION,
    icon: <Mail aria-hidden />,
    onSelect: () => onAct('invite', user),
  };
  const correct: MenuItem = {
    label: user.email === null ? ADD_EMAIL : CORRECT_ADDRESS,
    icon: <AtSign aria-hidden />,
    onSelect: () => onAct('mend', user),
  };
  const beforeSignIn = user.email === null ? [correct] : [invite, correct];
  const signOut: MenuItem = { label: SIGN_OUT_EVERYWHERE, icon: <LogOut aria-hidden />, onSelect: () => onAct('sign-out', user) };
  return [
    ...(user.hasSignedIn ? [signOut] : beforeSignIn),
    ...(people === 'agent' ? [paymentsItem(user, onAct), ...factorItems(user, onAct)] : []),
    { label: EDIT_CONTACT, icon: <PencilLine aria-hidden />, onSelect: () => onAct('edit', user) },
    ...data,
    { label: DISABLE, icon: <Ban aria-hidden />, isDanger: true, onSelect: () => onAct('disable', user) },
  ];
}

/** Returns the menu entry that exports a customer's data (contract §18). */
const dataItems = (user: UserItem, onAct: OnUserAction): MenuItem[] => [
  { label: DOWNLOAD_DATA, icon: <Download aria-hidden />, onSelect: () => onAct('download', user) },
  { label: FORGET, icon: <Eraser aria-hidden />, isDanger: true, onSelect: () => onAct('forget', user) },
];

/** Returns the menu entries about the second factor, which only agents have (contract §19). */
function factorItems(user: UserItem, onAct: OnUserAction): MenuItem[] {
  const act = user.requireSecondFactor ? 'release-second-factor' : 'require-second-factor';
  const label = user.requireSecondFactor ? RELEASE_SECOND_FACTOR : REQUIRE_SECOND_FACTOR;
  const icon = <KeyRound aria-hidden />;
  const remove: MenuItem = { label: REMOVE_SECOND_FACTOR, icon, onSelect: () => onAct('second-factor-off', user) };
  return [{ label, icon, onSelect: () => onAct(act, user) }, ...(user.hasSecondFactor ? [remove] : [])];
}

/** Returns the menu entry that allows an agent to take payments. Only agents can get this permission (contract §14). */
function paymentsItem(user: UserItem, onAct: OnUserAction): MenuItem {
  const act = user.mayTakePayments ? 'forbid-payments' : 'allow-payments';
  const label = user.mayTakePayments ? FORBID_PAYMENTS : ALLOW_PAYMENTS;
  return { label, icon: <Banknote aria-hidden />, onSelect: () => onAct(act, user) };
}
