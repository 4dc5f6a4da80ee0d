import type { ReactNode } from 'react';
import { PageHeader } from '../../client/ui/layout/page-header.tsx';
import { shortDate } from '../../shared/dates.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { DeleteRehearsal } from '../rehearsals/delete-rehearsal.tsx';
import { RehearsalBanner } from '../rehearsals/rehearsal-banner.tsx';
import type { Distribution } from './contract.ts';
import { DistributionBadges } from './distribution-badges.tsx';

interface DistributionHeaderProps {
  distribution: Distribution;
  /** The page's title; by default, the distribution's name. */
  title?: string;
  back: { href: string; label: string };
  actions?: ReactNode;
}

export function DistributionHeader({ distribution, title, back, actions }: DistributionHeaderProps): ReactNode {
  const { role } = useUser();
  return (
    <>
      <PageHeader
        title={title ?? distribution.name}
        back={back}
        context={
          <>
            {title !== undefined && <span className="font-semibold text-ink">{distribution.name}</span>}
            {title !== undefined && <span aria-hidden>·</span>}
            <span>{shortDate(distribution.date)}</span>
            <span className="hidden md:inline" aria-hidden>
              ·
            </span>
            <DistributionBadges distribution={distribution} />
          </>
        }
        actions={actions}
      />
      {distribution.rehearsal && <RehearsalBanner>{role === 'distributor' && <DeleteRehearsal id={distribution.id} />}</RehearsalBanner>}
    </>
  );
}
