import type { ReactNode } from 'react';
import { Page } from '../client/ui/layout/page.tsx';
import { PageHeader } from '../client/ui/layout/page-header.tsx';
import { SourceLine } from '../client/ui/layout/source-line.tsx';
import { useUser } from '../features/auth/auth-provider.tsx';
import { LogoutButton } from '../features/auth/account/logout-button.tsx';
import { welcomeText } from '../features/auth/texts.ts';
import { LastBackup } from '../features/backup/last-backup.tsx';
import { DistributorList } from '../features/distributors/distributor-list.tsx';
import { ADMIN_DASHBOARD } from './texts.ts';

/** An admin sees this screen at the path / (spec §2). */
export function AdminDashboard(): ReactNode {
  const { email } = useUser();
  return (
    <Page welcome={welcomeText(email)} logout={<LogoutButton />}>
      <PageHeader title={ADMIN_DASHBOARD} />
      <DistributorList />
      <LastBackup />
      <SourceLine className="mt-16" />
    </Page>
  );
}
