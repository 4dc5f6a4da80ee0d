import type { ReactNode } from 'react';
import { Page } from '../client/ui/layout/page.tsx';
import { LogoutButton } from '../features/auth/account/logout-button.tsx';
import { useAuth } from '../features/auth/auth-provider.tsx';
import { CounterEntries } from '../features/auth/user-page.tsx';
import { OPENS_WITH_NETWORK } from './texts.ts';

/**
 * LoadError is shown inside the page frame instead of a screen when the script of the screen failed to load. On a device that is used as a
 * counter, it links to the counter.
 */
export const LoadError = ({ children }: { children: ReactNode }): ReactNode => (
  <Page logout={<LogoutButton />} offline={OPENS_WITH_NETWORK}>
    {useAuth().user && <CounterEntries isUnreachable />}
    <div className="pt-9">{children}</div>
  </Page>
);
