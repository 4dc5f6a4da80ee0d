import type { ReactNode } from 'react';
import { Page } from '../client/ui/page.tsx';
import { PageHeader } from '../client/ui/page-header.tsx';
import { useUser } from '../features/auth/auth-provider.tsx';
import { LogoutButton } from '../features/auth/logout-button.tsx';
import { DistributorList } from '../features/distributors/distributor-list.tsx';

/** / for an admin (spec §2). */
export function AdminDashboard(): ReactNode {
  const { email } = useUser();
  return (
    <Page welcome={`Welcome, ${email}`} logout={<LogoutButton />}>
      <PageHeader title="Admin Dashboard" />
      <DistributorList />
    </Page>
  );
}
