import { createContext, use, useCallback, useEffect, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { navigate } from 'wouter/use-browser-location';
import { isRefusal } from '../../client/api/fetch.ts';
import { onOtherUser, showUser, shownUser, tellSignedOut } from '../../client/api/shown-user.ts';
import { deviceOwner } from '../../client/storage/device-owner.ts';
import { clearDrafts } from '../../client/storage/draft.ts';
import { isSignOutPending } from '../../client/storage/pending-sign-out.ts';
import { dismissToasts } from '../../client/toasts/toast.ts';
import { CallContext, useRead, useSave } from '../../client/api/use-calls.ts';
import { leaveWithoutConfirmation } from '../../client/navigation/use-leave-guard.ts';
import type { Factor } from '../../domain/accounts/second-factor.ts';
import { pathOf } from '../../shared/endpoint.ts';
import { usePendingSignOut } from './account/use-pending-sign-out.ts';
import { readUser, signIn, signOut, type CurrentUser } from './contract.ts';
import { LOGIN_FAILED, LOGOUT_FAILED, OUTSIDE_PROVIDER } from './texts.ts';

/** The keys of the counter entries that the user has agreed to lose with a sign-out; an empty list if there are no entries to lose. */
export type AgreedLoss = 'not asked' | readonly string[];

interface Auth {
  readonly user: CurrentUser | null;
  readonly isLoading: boolean;
  /** The error of the request for the signed-in user; null if the server has responded, also that nobody is signed in. */
  readonly error: Error | null;
  /** Signs the user in. Returns the error, or null after success. */
  readonly login: (credentials: { email: string; password: string }) => Promise<Error | null>;
  readonly isSigningIn: boolean;
  /** The factors that the user can choose from while the second step of a sign-in has not been completed; null otherwise (contract §19). */
  readonly secondFactor: readonly Factor[] | null;
  readonly askSecondFactor: (factors: readonly Factor[] | null) => void;
  /** Sets the signed-in user without requesting it from the server, for example after an invitation has signed the user in. */
  readonly becomeUser: (user: CurrentUser) => void;
  /** Requests the signed-in user again, for example after a request has opened or ended a session without returning the user. */
  readonly refreshUser: () => Promise<void>;
  /**
   * Signs the user out. Returns true if the server could not be reached. The data of the counter is then removed from this device only if
   * the user was asked, and the session is ended later.
   */
  readonly logout: (loss: AgreedLoss) => Promise<boolean>;
  readonly isSigningOut: boolean;
  /**
   * Called after the server has ended the session. Removes this user's data from the device, except the counter entries that the user has
   * not agreed to lose.
   */
  readonly clearUser: (loss: AgreedLoss) => void;
}

const OWN = pathOf(readUser);
const isOtherRead = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => queryKey[0] !== OWN;

/** Loads the code for the counter's data on this device; called only if the device may have such data. */
export const loadDeviceData = () => import('../counter/device/device-data.ts');

const AuthContext = createContext<Auth | null>(null);

export function AuthProvider({ children }: { children: ReactNode }): ReactNode {
  const client = useQueryClient();
  const [secondFactor, setSecondFactor] = useState<readonly Factor[] | null>(null);
  const pending = usePendingSignOut();
  const current = useRead(readUser, undefined, { nullOn: 401, enabled: !pending.isPending });
  const { save: enter, isSaving: isSigningIn } = useSave(signIn, { errorTitle: LOGIN_FAILED, refresh: false });
  const { save: leave, isSaving: isSigningOut } = useSave(signOut, { errorTitle: LOGOUT_FAILED, refresh: false });

  // Removes cached data of the previous user, so that the next user never sees it.
  const removeOtherReads = useCallback(() => client.removeQueries({ predicate: isOtherRead }), [client]);
  // The identity of this function must be stable, because an effect of the counter has it as a dependency.
  const becomeUser = useCallback(
    (user: CurrentUser | null) => {
      setSecondFactor(null);
      if (user) pending.cancel();
      removeOtherReads();
      client.setQueryData([OWN], user);
    },
    [client, removeOtherReads, pending],
  );
  const refreshUser = async (): Promise<void> => {
    removeOtherReads();
    await client.refetchQueries({ queryKey: [OWN] });
  };

  const login: Auth['login'] = async (body) => {
    // A new attempt removes the error toast of the previous attempt.
    dismissToasts();
    await pending.finish();
    const saved = await enter({ body });
    if (!saved.ok) return saved.error;
    if ('secondFactor' in saved.reply) setSecondFactor(saved.reply.secondFactor);
    else becomeUser(saved.reply);
    return null;
  };
  const leaveScreens = useCallback(() => {
    leaveWithoutConfirmation();
    becomeUser(null);
  }, [becomeUser]);
  const send = use(CallContext);
  useEffect(() => {
    const isSame = ({ id }: CurrentUser): boolean => id === shownUser();
    const check = async (): Promise<void> => {
      if (isSignOutPending() || !(await send(readUser).then(isSame, () => false))) leaveScreens();
    };
    return onOtherUser(() => void check());
  }, [send, leaveScreens]);
  const clearUser: Auth['clearUser'] = (loss) => {
    clearDrafts();
    leaveScreens();
    tellSignedOut();
    // The device of staff can have data of a counter although it has no owner (device-data.ts).
    if (deviceOwner() !== null || user?.role !== 'customer')
      void loadDeviceData().then(({ clearDevice }) => clearDevice(loss === 'not asked' ? [] : loss));
  };
  const logout: Auth['logout'] = async (loss) => {
    const left = await leave();
    if (left.ok) clearUser(loss);
    // If the server itself has refused to end the session, the user stays signed in and keeps the unsaved input.
    if (left.ok || (isRefusal(left.error) && left.error.isFromServer)) return false;
    if (loss !== 'not asked') {
      // The drafts may fill the storage in which the pending sign-out must be stored.
      clearDrafts();
      pending.begin();
      clearUser(loss);
      navigate('/auth', { replace: true });
    }
    return true;
  };

  const user = current.data ?? null;
  const userId = user?.id ?? null;
  const { isLoading, isSuccess, error } = current;
  useEffect(() => {
    // The counter's data on this device may belong to a user who is no longer signed in. In this case, the orders of the families are
    // removed from the device. But if this tab has shown another user than the owner, and that user's session has ended, the owner may have
    // signed in in another tab since. The orders of the owner then stay.
    const [owner, last] = [deviceOwner(), shownUser()];
    const signedIn = userId ?? (last === null || last === owner ? null : owner);
    if (isSuccess && owner !== null && owner !== userId) void loadDeviceData().then(({ endSession }) => endSession(signedIn));
  }, [isSuccess, userId]);
  // This effect runs after the one above, which needs the last user of this tab.
  useEffect(() => {
    // The server may reply with another user than before, if another user has signed in without this tab hearing of it.
    if (userId !== null && shownUser() !== null && shownUser() !== userId) void client.resetQueries({ predicate: isOtherRead });
    showUser(userId);
  }, [client, userId]);
  const state = { user, isLoading, error, isSigningIn, isSigningOut, secondFactor };
  const actions = { login, askSecondFactor: setSecondFactor, becomeUser, refreshUser, logout, clearUser };
  return <AuthContext value={{ ...state, ...actions }}>{children}</AuthContext>;
}

export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (!auth) throw new Error(OUTSIDE_PROVIDER);
  return auth;
}

/** Returns the signed-in user. Only for guarded screens, where a user is always signed in. */
export function useUser(): CurrentUser {
  const { user } = useAuth();
  if (!user) throw new Error('This screen is shown to a signed-in user only');
  return user;
}
