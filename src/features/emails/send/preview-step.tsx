import { useMemo, type ReactNode } from 'react';
import { toast } from '../../../client/toasts/toast.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { DialogFooter } from '../../../client/ui/overlays/dialog.tsx';
import { useRead, useSave } from '../../../client/api/use-calls.ts';
import { readOrganization, type Organization } from '../../organization/contract.ts';
import { sendTestEmail } from '../contract.ts';
import { footnote, mailPage, signature, renderMarkup, type Sender } from '../../../shared/mail/email-page.ts';
import { displayName } from '../../../shared/person-name.ts';
import { BACK, nothingSentText, othersText, PREVIEW_OF, REPLY_TO, SEND_TEST, sendLabel, SUBJECT, TO, UNSUBSCRIBE } from '../texts.ts';
import { PostalAddressHint } from './postal-address-hint.tsx';
import type { Recipient } from './use-recipients.ts';
import type { EmailToSend } from './use-sending.ts';

interface PreviewStepProps {
  content: EmailToSend;
  recipients: readonly Recipient[];
  onBack: () => void;
  onSend: (press: Pick<MouseEvent, 'timeStamp'>) => unknown;
}

/** Shows the mail and the number of its recipients before it is sent. */
export function PreviewStep({ content, recipients, onBack, onSend }: PreviewStepProps): ReactNode {
  const { subject, html, replyTo } = content;
  const { save, isSaving } = useSave(sendTestEmail, { refresh: false, onSaved: ({ message }) => toast({ title: message }) });
  const organization = useRead(readOrganization);
  const [first] = recipients;
  const page = useMemo(() => mailOf({ subject, html, replyTo }, organization.data), [subject, html, replyTo, organization.data]);
  const others = recipients.length - 1;
  return (
    <>
      <p className="mb-3 font-semibold">{nothingSentText(recipients.length)}</p>
      <dl className="mb-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-s [&_dd]:min-w-0 [&_dd]:break-words [&_dt]:text-ink-soft">
        <dt>{TO}</dt>
        <dd>
          {first && displayName(first) !== first.email && <span className="font-semibold">{displayName(first)} </span>}
          {first?.email}
          {others > 0 && <span className="text-ink-soft"> {othersText(others)}</span>}
        </dd>
        <dt>{REPLY_TO}</dt>
        <dd>{replyTo}</dd>
        <dt>{SUBJECT}</dt>
        <dd className="font-semibold">{subject}</dd>
      </dl>
      <PostalAddressHint className="mb-4" />
      <div className="h-[400px] overflow-hidden rounded-ctl border border-line-strong bg-card">
        {/* This key creates a new iframe for each change, because an iframe whose document is replaced while it loads may stay empty. */}
        {!organization.isPending && <iframe key={page} title={PREVIEW_OF} sandbox="" srcDoc={page} className="block size-full" />}
      </div>
      <DialogFooter>
        <div className="flex gap-2.5 md:contents">
          <Button onClick={onBack} className="md:me-auto">
            {BACK}
          </Button>
          <Button className="grow md:grow-0" isLoading={isSaving} onClick={() => void save({ body: { subject, html } })}>
            {SEND_TEST}
          </Button>
        </div>
        <Button variant="main" disabled={recipients.length === 0} onClick={onSend}>
          {sendLabel(recipients.length)}
        </Button>
      </DialogFooter>
    </>
  );
}

const senderOf = ({ name, address, city, state, zip }: Organization, replyTo: string): Sender => ({
  name: name ?? replyTo,
  address: address ?? '',
  city: city ?? '',
  state: state ?? '',
  zip: zip ?? '',
});

/** Returns the HTML of the mail as the server renders it, with inactive links. The iframe's sandbox blocks scripts. */
function mailOf({ subject, html, replyTo }: EmailToSend, organization: Organization | undefined): string {
  const footer = organization ? signature(senderOf(organization, replyTo)) : [];
  const mail = mailPage({ heading: subject, blocks: [renderMarkup(html, '')], footer: [...footer, footnote(UNSUBSCRIBE, '#')] });
  const page = new DOMParser().parseFromString(mail.html, 'text/html');
  for (const meta of page.querySelectorAll('meta')) meta.remove();
  const style = page.createElement('style');
  style.textContent = 'a { pointer-events: none; }';
  page.head.append(style);
  return `<!doctype html>${page.documentElement.outerHTML}`;
}
