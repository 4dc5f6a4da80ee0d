import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { toast } from '../../client/toast.tsx';
import { Button } from '../../client/ui/button.tsx';
import { DialogFooter } from '../../client/ui/dialog.tsx';
import { useRead, useSave } from '../../client/use-calls.ts';
import { readOrganization, type Organization } from '../organization/contract.ts';
import { sendTestEmail } from './contract.ts';
import { calledName } from '../users/texts.ts';
import { mailLook, useIsDark } from './mail-look.tsx';
import { NO_POSTAL_ADDRESS, NOTHING_SENT, people } from './texts.ts';
import type { Recipient } from './use-recipients.tsx';
import type { Letter } from './use-sending.tsx';

export interface PreviewStepProps {
  letter: Letter;
  recipients: readonly Recipient[];
  onBack: () => void;
  onSend: () => void;
}

/** What goes out to whom, before it does (design §2.5). */
export function PreviewStep({ letter, recipients, onBack, onSend }: PreviewStepProps): ReactNode {
  const { subject, html, replyTo } = letter;
  const { save, isSaving } = useSave(sendTestEmail, { refresh: false, onSaved: ({ message }) => toast({ title: message }) });
  const organization = useRead(readOrganization);
  const isDark = useIsDark();
  const [first] = recipients;
  const page = useMemo(
    () => mailPage({ subject, html, look: mailLook(isDark), signature: signatureOf(organization.data, replyTo) }),
    [subject, html, isDark, organization.data, replyTo],
  );
  const others = recipients.length - 1;
  return (
    <>
      <p className="mb-3 font-semibold">{NOTHING_SENT}</p>
      <dl className="mb-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-s [&_dd]:min-w-0 [&_dd]:break-words [&_dt]:text-ink-soft">
        <dt>To</dt>
        <dd>
          {first && calledName(first) !== first.email && <span className="font-semibold">{calledName(first)} </span>}
          {first?.email}
          {others > 0 && <span className="text-ink-soft"> and {people(others)} more, each in an e-mail of their own</span>}
        </dd>
        <dt>Reply to</dt>
        <dd>{replyTo}</dd>
        <dt>Subject</dt>
        <dd className="font-semibold">{subject}</dd>
      </dl>
      {organization.data?.address === '' && <p className="mb-4 text-s text-ink-soft">{NO_POSTAL_ADDRESS}</p>}
      <div className="h-[400px] overflow-hidden rounded-ctl border border-line-strong bg-card">
        {/* Shown when it is whole, and made anew when it changes: a document replaced while it loads may stay empty. */}
        {!organization.isPending && (
          <iframe key={page} title="Preview of the e-mail" sandbox="" srcDoc={page} className="block size-full" />
        )}
      </div>
      <DialogFooter>
        <Button onClick={onBack} className="md:mr-auto">
          Back
        </Button>
        <Button isLoading={isSaving} onClick={() => void save({ body: { subject, html } })}>
          Send a test to me
        </Button>
        <Button variant="main" disabled={recipients.length === 0} onClick={onSend}>
          Send to {people(recipients.length)}
        </Button>
      </DialogFooter>
    </>
  );
}

function signatureOf(organization: Organization | undefined, email: string): string[] {
  if (!organization) return [];
  const { name, address, city, state, zip } = organization;
  const place = [address, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  return [name || email, place, 'Unsubscribe from e-mails like this'].filter(Boolean);
}

interface MailPage {
  subject: string;
  html: string;
  look: string;
  signature: readonly string[];
}

/** In a document that runs nothing; its links are to be read, not followed. */
function mailPage({ subject, html, look, signature }: MailPage): string {
  const page = document.implementation.createHTMLDocument(subject);
  page.documentElement.lang = 'en';
  const style = page.createElement('style');
  style.textContent = `${look} a { pointer-events: none; } main { padding-bottom: 8px; }`;
  page.head.append(style);
  const heading = page.createElement('h1');
  heading.textContent = subject;
  const content = page.createElement('main');
  content.innerHTML = html;
  content.prepend(heading);
  const lines = signature.map((line) => {
    const paragraph = page.createElement('p');
    paragraph.className = 'soft';
    paragraph.textContent = line;
    return paragraph;
  });
  page.body.append(content, page.createElement('hr'), ...lines);
  return `<!doctype html>${page.documentElement.outerHTML}`;
}
