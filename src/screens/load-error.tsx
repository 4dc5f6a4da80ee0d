import type { ReactNode } from 'react';
import { Page } from '../client/ui/layout/page.tsx';
import { LogoutButton } from '../features/auth/account/logout-button.tsx';

/** The frame of the app, in place of a screen whose script did not come. */
export const LoadError = ({ children }: { children: ReactNode }): ReactNode => (
  <Page logout={<LogoutButton />}>
    <div className="pt-9">{children}</div>
  </Page>
);
