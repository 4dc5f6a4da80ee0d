import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Page } from '../../client/ui/layout/page.tsx';
import { PHONE, useMedia } from '../../client/hooks/use-media.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { LogoutButton } from '../auth/account/logout-button.tsx';
import { WELCOME } from '../auth/texts.ts';

/**
 * Renders the page frame of a customer's screens. On phones the top bar has no room for the customer's e-mail address, so the dashboard
 * shows the address instead.
 */
export function CustomerPage({ children }: { children: ReactNode }): ReactNode {
  const isPhone = useMedia(PHONE);
  return (
    <Page welcome={isPhone ? undefined : <Welcome />} logout={<LogoutButton />}>
      {children}
    </Page>
  );
}

/** Shows the e-mail address as a link to the contact page (spec §2). */
export function Welcome(): ReactNode {
  const { email } = useUser();
  return (
    <span>
      {WELCOME}{' '}
      <Link href="/customer/contact-info" className="link inline-flex min-h-11 items-center dense:min-h-8">
        {email}
      </Link>
    </span>
  );
}
