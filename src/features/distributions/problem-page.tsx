import type { ReactNode } from 'react';
import { Pending, type PendingProps } from '../../client/ui/feedback/pending.tsx';
import { SkeletonHeader } from '../../client/ui/feedback/skeleton.tsx';
import { PageHeader } from '../../client/ui/layout/page-header.tsx';
import { homeOf } from '../../domain/accounts/roles.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { BACK_TO_DASHBOARD } from './texts.ts';

/** Shown in place of a page that cannot be shown. The children say why. */
export function ProblemPage({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <>
      <PageHeader title={title} back={{ href: homeOf(useUser().role), label: BACK_TO_DASHBOARD }} />
      {children}
    </>
  );
}

/** Shown in place of a page while its read has no data. `waiting` is the skeleton below the page title. */
export function PendingPage({ title, read, waiting }: PendingProps & { title: string }): ReactNode {
  if (!read.error)
    return (
      <>
        <SkeletonHeader />
        {waiting}
      </>
    );
  return (
    <ProblemPage title={title}>
      <Pending read={read} waiting={waiting} />
    </ProblemPage>
  );
}
