import type { ReactNode } from 'react';
import { Page } from '../client/ui/layout/page.tsx';
import { LogoutButton } from '../features/auth/account/logout-button.tsx';

/** When the script of a screen failed to load, this is shown inside the page frame instead of the screen. */
export const LoadError = ({ children }: { children: ReactNode }): ReactNode => (
  <Page logout={<LogoutButton />}>
    <div className="pt-9">{children}</div>
  </Page>
);
