import type { ReactNode } from 'react';
import { toast } from '../../client/toasts/toast.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { Bar, Skeleton } from '../../client/ui/feedback/skeleton.tsx';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import { JoinRequestsList } from '../join-requests/join-requests-list.tsx';
import { readJoinLink, renewJoinLink } from './contract.ts';
import { JoinLinkOn } from './join-link-on.tsx';
import { JOINING_IS_OFF, LINK_ON, TURN_ON } from './texts.ts';

/** Shows the join link, or says that joining is turned off (contract §3). */
export function JoinLinkState(): ReactNode {
  const link = useRead(readJoinLink);
  const { save, isSaving } = useSave(renewJoinLink, { onSaved: () => void toast({ title: LINK_ON }) });
  if (!link.data) {
    const skeleton = (
      <Skeleton className="grid gap-4">
        <Bar className="h-48 w-48" />
        <Bar className="h-10 w-full" />
      </Skeleton>
    );
    return <Pending read={link} waiting={skeleton} />;
  }
  const { url } = link.data;
  return (
    <>
      {url === null ? (
        <div className="grid justify-items-start gap-4">
          <p>{JOINING_IS_OFF}</p>
          <Button variant="main" isLoading={isSaving} onClick={() => void save()}>
            {TURN_ON}
          </Button>
        </div>
      ) : (
        <JoinLinkOn url={url} />
      )}
      <JoinRequestsList />
    </>
  );
}
