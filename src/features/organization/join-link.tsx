import { Link as LinkIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { toast } from '../../client/toast.tsx';
import { Button } from '../../client/ui/button.tsx';
import { Dialog } from '../../client/ui/dialog.tsx';
import { ErrorState } from '../../client/ui/error-state.tsx';
import { Bar, Skeleton } from '../../client/ui/skeleton.tsx';
import { useRead, useSave } from '../../client/use-calls.ts';
import { readJoinLink, renewJoinLink } from './contract.ts';
import { JoinLinkOn } from './join-link-on.tsx';
import { JOIN_LINK, JOIN_LINK_MEANS, JOINING_IS_OFF, LINK_ON, TURN_ON } from './texts.ts';

/** The Join Link button of the Customers tab with its dialog (contract §3). */
export function JoinLink(): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={<LinkIcon aria-hidden />}>{JOIN_LINK}</Button>}
      title={JOIN_LINK}
      description={JOIN_LINK_MEANS}
      size="m"
    >
      <JoinLinkState />
    </Dialog>
  );
}

function JoinLinkState(): ReactNode {
  const { data, error, refetch } = useRead(readJoinLink);
  const { save, isSaving } = useSave(renewJoinLink, { onSaved: () => void toast({ title: LINK_ON }) });
  if (data === undefined) {
    if (error) return <ErrorState text={error.message} onRetry={() => void refetch()} />;
    return (
      <Skeleton className="grid gap-4">
        <Bar className="h-48 w-48" />
        <Bar className="h-10 w-full" />
      </Skeleton>
    );
  }
  if (data.url !== null) return <JoinLinkOn url={data.url} />;
  return (
    <div className="grid justify-items-start gap-4">
      <p>{JOINING_IS_OFF}</p>
      <Button variant="main" isLoading={isSaving} onClick={() => void save()}>
        {TURN_ON}
      </Button>
    </div>
  );
}
