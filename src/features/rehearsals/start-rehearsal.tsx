import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { Button, ButtonLink } from '../../client/ui/forms/button.tsx';
import { Card } from '../../client/ui/layout/card.tsx';
import { listDistributions } from '../distributions/contract.ts';
import { startRehearsal } from './contract.ts';
import { existingText, OPEN_REHEARSAL, REHEARSAL_STARTED, REHEARSE, REHEARSE_MEANS, START_REHEARSAL } from './texts.ts';

const pathOf = (id: number): string => `/distributor/distribution/${id}`;

/**
 * This section of the distribution-info tab starts a rehearsal of the distribution. If the distributor already has a rehearsal, the section
 * links to that rehearsal.
 */
export function StartRehearsal({ distributionId }: { distributionId: number }): ReactNode {
  const [, navigate] = useLocation();
  // This hook sends no request, because the page has just read the list of distributions (features/distributions/distribution-page.tsx).
  const { data: distributions } = useRead(listDistributions, undefined, { enabled: false });
  const rehearsal = distributions?.find((distribution) => distribution.rehearsal);
  const { save, isSaving } = useSave(startRehearsal, {
    onSaved: ({ name }) => toast({ title: REHEARSAL_STARTED, description: name }),
    leave: ({ id }) => navigate(pathOf(id)),
  });
  return (
    <Card title={REHEARSE}>
      <p className="mb-4 text-s text-ink-soft">{rehearsal ? existingText(rehearsal.name) : REHEARSE_MEANS}</p>
      {rehearsal ? (
        <ButtonLink href={pathOf(rehearsal.id)}>{OPEN_REHEARSAL}</ButtonLink>
      ) : (
        <Button isLoading={isSaving} onClick={() => void save({ params: { id: distributionId } })}>
          {START_REHEARSAL}
        </Button>
      )}
    </Card>
  );
}
