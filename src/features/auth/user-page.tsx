import type { ReactNode } from 'react';
import { Page } from '../../client/ui/layout/page.tsx';
import { LogoutButton } from './account/logout-button.tsx';
import { useUser } from './auth-provider.tsx';
import { welcomeText } from './texts.ts';

/** Renders the page frame with the user's e-mail address in the top bar. */
export function UserPage({ children }: { children: ReactNode }): ReactNode {
  return (
    <Page welcome={welcomeText(useUser().email)} logout={<LogoutButton />}>
      {children}
    </Page>
  );
}
