import type { ReactNode } from 'react';
import { Page } from '../../client/ui/layout/page.tsx';
import { LogoutButton } from './account/logout-button.tsx';
import { useUser } from './auth-provider.tsx';
import { welcomeText } from './texts.ts';

export function UserPage({ children }: { children: ReactNode }): ReactNode {
  return (
    <Page welcome={welcomeText(useUser().email)} logout={<LogoutButton />}>
      {children}
    </Page>
  );
}
