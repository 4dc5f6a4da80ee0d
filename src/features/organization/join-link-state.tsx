import { Copy, Power, Printer, RefreshCw } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { toast } from '../../client/toasts/toast.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { Bar, Skeleton } from '../../client/ui/feedback/skeleton.tsx';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import { copyField } from '../../client/copy-field.ts';
import { ERROR } from '../../client/texts.ts';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import { QrCode } from '../../client/ui/print/qr-code.tsx';
import { JoinRequestsList } from '../join-requests/join-requests-list.tsx';
import { readJoinLink, readOrganization, renewJoinLink, stopJoinLink } from './contract.ts';
import {
  COPY,
  JOINING_IS_OFF,
  LINK_COPIED,
  LINK_FIELD,
  LINK_NOT_COPIED,
  LINK_OFF,
  LINK_ON,
  LINK_RENEWED,
  PRINT,
  QR_CODE,
  RENEW,
  RENEW_MEANS,
  RENEW_QUESTION,
  STOP_MEANS,
  STOP_QUESTION,
  TURN_OFF,
  TURN_ON,
} from './texts.ts';
import { JoinSheet } from './join-sheet.tsx';

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

function JoinLinkOn({ url }: { url: string }): ReactNode {
  const [asked, setAsked] = useState<'renew' | 'stop' | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const organization = useRead(readOrganization);
  const renewing = useSave(renewJoinLink, { onSaved: () => void toast({ title: LINK_RENEWED }) });
  const stopping = useSave(stopJoinLink, { onSaved: () => void toast({ title: LINK_OFF }) });
  const copy = async (): Promise<void> => {
    const isCopied = field.current !== null && (await copyField(field.current));
    toast({
      actionKey: LINK_COPIED,
      ...(isCopied ? { title: LINK_COPIED } : { title: ERROR, description: LINK_NOT_COPIED, variant: 'destructive' }),
    });
  };
  return (
    <div className="grid gap-5 md:grid-cols-[auto_1fr]">
      <div className="justify-self-center rounded-card border border-line bg-[#fff] p-1">
        <QrCode text={url} label={QR_CODE} className="size-52" />
      </div>
      <div className="grid content-start gap-4">
        <input ref={field} readOnly aria-label={LINK_FIELD} value={url} onFocus={(event) => event.target.select()} className="control" />
        <div className="grid grid-cols-2 gap-2.5">
          <Button variant="main" icon={<Copy aria-hidden />} onClick={() => void copy()}>
            {COPY}
          </Button>
          <Button icon={<Printer aria-hidden />} disabled={organization.isPending} onClick={() => window.print()}>
            {PRINT}
          </Button>
          <Button icon={<RefreshCw aria-hidden />} isLoading={renewing.isSaving} onClick={() => setAsked('renew')}>
            {RENEW}
          </Button>
          <Button icon={<Power aria-hidden />} isLoading={stopping.isSaving} onClick={() => setAsked('stop')}>
            {TURN_OFF}
          </Button>
        </div>
      </div>
      <JoinSheet name={organization.data?.name ?? ''} url={url} />
      {asked && (
        <ConfirmDialog
          title={asked === 'renew' ? RENEW_QUESTION : STOP_QUESTION}
          confirmLabel={asked === 'renew' ? RENEW : TURN_OFF}
          isDanger
          onConfirm={() => void (asked === 'renew' ? renewing.save() : stopping.save())}
          onClose={() => setAsked(null)}
        >
          {asked === 'renew' ? RENEW_MEANS : STOP_MEANS}
        </ConfirmDialog>
      )}
    </div>
  );
}
