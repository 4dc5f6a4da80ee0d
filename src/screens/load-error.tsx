import type { ReactNode } from 'react';
import { Page } from '../client/ui/layout/page.tsx';
import { LogoutButton } from '../features/auth/account/logout-button.tsx';

/** LoadError is shown inside the page frame instead of a screen when the script of the screen failed to load. */
export const LoadError = ({ children }: { children: ReactNode }): ReactNode => (
  <Page logout={<LogoutButton />}>
    <div className="pt-9">{children}</div>
  </Page>
);
