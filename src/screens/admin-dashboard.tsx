import type { ReactNode } from 'react';
import { PageHeader } from '../client/ui/layout/page-header.tsx';
import { SourceLine } from '../client/ui/layout/source-line.tsx';
import { LastBackup } from '../features/backup/last-backup.tsx';
import { DistributorList } from '../features/distributors/distributor-list.tsx';
import { UserPage } from '../features/auth/user-page.tsx';
import { ADMIN_DASHBOARD } from './texts.ts';

/** An admin sees this screen at the path / (spec §2). */
export function AdminDashboard(): ReactNode {
  return (
    <UserPage>
      <PageHeader title={ADMIN_DASHBOARD} />
      <DistributorList />
      <LastBackup />
      <SourceLine className="mt-16" />
    </UserPage>
  );
}
