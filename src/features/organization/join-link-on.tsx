import { Copy, Power, Printer, RefreshCw } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { copyField } from '../../client/copy-text.ts';
import { toast } from '../../client/toast.tsx';
import { Button } from '../../client/ui/button.tsx';
import { ConfirmDialog } from '../../client/ui/confirm-dialog.tsx';
import { useRead, useSave } from '../../client/use-calls.ts';
import { readOrganization, renewJoinLink, stopJoinLink } from './contract.ts';
import { JoinSheet } from './join-sheet.tsx';
import { QrCode } from './qr-code.tsx';
import { LINK_COPIED, LINK_NOT_COPIED, LINK_OFF, LINK_RENEWED } from './texts.ts';

/** The link while joining is on: to copy, to print as a QR code, to renew and to turn off. */
export function JoinLinkOn({ url }: { url: string }): ReactNode {
  const [asked, setAsked] = useState<'renew' | 'stop' | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const organization = useRead(readOrganization);
  const renewing = useSave(renewJoinLink, { onSaved: () => void toast({ title: LINK_RENEWED }) });
  const stopping = useSave(stopJoinLink, { onSaved: () => void toast({ title: LINK_OFF }) });
  const copy = async (): Promise<void> => {
    const isCopied = field.current !== null && (await copyField(field.current));
    toast(isCopied ? { title: LINK_COPIED } : { title: 'Error', description: LINK_NOT_COPIED, variant: 'destructive' });
  };
  return (
    <div className="grid gap-5 sm:grid-cols-[auto_1fr]">
      <div className="justify-self-center rounded-card border border-line bg-[#fff] p-1">
        <QrCode text={url} label="QR code of the join link" className="size-52" />
      </div>
      <div className="grid content-start gap-4">
        <input ref={field} readOnly aria-label="Join link" value={url} onFocus={(event) => event.target.select()} className="control" />
        <div className="grid grid-cols-2 gap-2.5">
          <Button variant="main" icon={<Copy aria-hidden />} onClick={() => void copy()}>
            Copy
          </Button>
          <Button icon={<Printer aria-hidden />} disabled={organization.isPending} onClick={() => window.print()}>
            Print
          </Button>
          <Button icon={<RefreshCw aria-hidden />} isLoading={renewing.isSaving} onClick={() => setAsked('renew')}>
            Renew
          </Button>
          <Button icon={<Power aria-hidden />} isLoading={stopping.isSaving} onClick={() => setAsked('stop')}>
            Turn off
          </Button>
        </div>
      </div>
      <JoinSheet name={organization.data?.name ?? ''} url={url} />
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={() => setAsked(null)}
        title={asked === 'renew' ? 'Make a new join link?' : 'Turn the join link off?'}
        confirmLabel={asked === 'renew' ? 'Renew' : 'Turn off'}
        isDanger
        onConfirm={() => void (asked === 'renew' ? renewing.save() : stopping.save())}
      >
        {asked === 'renew'
          ? 'The link you have now stops working, also where it is printed or mailed. Customers who have joined stay.'
          : 'It stops working for good, also where it is printed or mailed; turning it on again makes a new one. Customers who have joined stay.'}
      </ConfirmDialog>
    </div>
  );
}
