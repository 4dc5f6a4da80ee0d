import { useEffect, useState, type ReactNode } from 'react';
import { LazyPart } from '../../../client/lazy-part.tsx';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { deviceOwner } from '../../../client/storage/device-owner.ts';
import type { QueuedWrite } from '../../counter/device/writes.ts';
import { loadDeviceData, useAuth, type AgreedLoss } from '../auth-provider.tsx';

const SignOutQuestion = lazyScreen(async () => (await import('../../counter/sign-out-question.tsx')).SignOutQuestion);
/** Loads the scripts of a sign-out while there is a network, because a user who signs out without a network needs them. */
export const preloadSignOut = (): Promise<unknown> =>
  Promise.all([SignOutQuestion.load(), loadDeviceData(), import('../sign-in/auth-page.tsx')]).catch(() => undefined);

interface Options {
  /** Called when the sign-out may begin. Returns true if the server could not be reached, and the user can sign out on this device alone. */
  readonly onYes: (loss: AgreedLoss) => Promise<boolean>;
}

/**
 * Asks for confirmation before a sign-out that removes the user's unsent counter entries from the device (contract §14). If there are none,
 * calls `onYes` at once, and asks only if the server cannot be reached.
 */
export function useSignOutQuestion({ onYes }: Options): { ask: () => Promise<void>; question: ReactNode } {
  const { user } = useAuth();
  const [unsent, setUnsent] = useState<readonly QueuedWrite[] | null>(null);
  useEffect(() => {
    if (deviceOwner() !== null) void preloadSignOut();
  }, []);
  const ask = async (): Promise<void> => {
    if (deviceOwner() === null || !user) return void (await onYes('not asked'));
    const { readUnsentToSignOut } = await loadDeviceData();
    const hasUnsent = (await readUnsentToSignOut(user.id)).length > 0;
    // Signing out without the server removes the families' orders from the device, so the user must confirm it. The question names also the
    // entries that were made while the server was tried.
    if (hasUnsent || (await onYes('not asked'))) setUnsent(await readUnsentToSignOut(user.id));
  };
  const question = unsent !== null && (
    <LazyPart>
      <SignOutQuestion unsent={unsent} onYes={onYes} onClose={() => setUnsent(null)} />
    </LazyPart>
  );
  return { ask, question };
}
