import type { ReactNode } from 'react';
import { Page } from '../client/ui/layout/page.tsx';
import { LogoutButton } from '../features/auth/account/logout-button.tsx';

/** Rendered inside the page frame instead of a screen whose script failed to load. */
export const LoadError = ({ children }: { children: ReactNode }): ReactNode => (
  <Page logout={<LogoutButton />}>
    <div className="pt-9">{children}</div>
  </Page>
);
