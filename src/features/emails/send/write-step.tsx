import type { ReactNode } from 'react';
import { CANCEL } from '../../../client/texts.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { DialogFooter } from '../../../client/ui/overlays/dialog.tsx';
import { EmptyState } from '../../../client/ui/feedback/empty-state.tsx';
import { Pending } from '../../../client/ui/feedback/pending.tsx';
import { TextField } from '../../../client/ui/forms/field.tsx';
import { Bar, Skeleton } from '../../../client/ui/feedback/skeleton.tsx';
import { Warning } from '../../../client/ui/feedback/warning.tsx';
import { isBlank, MailEditor } from './mail-editor.tsx';
import { RecipientChoice } from './recipient-choice.tsx';
import { PostalAddressHint } from './postal-address-hint.tsx';
import { NOBODY, PREVIEW, sendLabel, SUBJECT, UNSURE_MEANS, unsureText } from '../texts.ts';
import { chosenOf, type Choice, type Recipients } from './use-recipients.ts';

const MAX_SUBJECT_LENGTH = 200;

export interface EmailDraft {
  readonly subject: string;
  readonly html: string;
  readonly choice: Choice;
  /** How many people may have got the e-mail already, because the result of their call is unknown. They are not among the chosen people. */
  readonly unsure: number;
}

export const isEmpty = ({ subject, html }: EmailDraft): boolean => subject.trim() === '' && isBlank(html);

interface WriteStepProps {
  recipients: Recipients;
  written: EmailDraft;
  onWritten: (change: Partial<EmailDraft>) => void;
  onCancel: () => void;
  onPreview: () => void;
  onSend: () => void;
  /** True while the recipients are read again before the e-mail is sent. */
  isReading: boolean;
}

/**
 * The step for choosing recipients and writing. Preview and Send are disabled until there are a recipient, a subject and content (spec §2,
 * §5).
 */
export function WriteStep({ recipients, written, onWritten, onCancel, onPreview, onSend, isReading }: WriteStepProps): ReactNode {
  const { people } = recipients;
  const { subject, html, choice, unsure } = written;
  const chosen = people ? chosenOf(choice, people).length : 0;
  const isIncomplete = chosen === 0 || subject.trim() === '' || isBlank(html);
  if (people?.length === 0) return <EmptyState picture="people" text={NOBODY} />;
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {unsure > 0 && <Warning title={unsureText(unsure)}>{UNSURE_MEANS}</Warning>}
        {people ? (
          <RecipientChoice people={people} choice={choice} onChoice={(next) => onWritten({ choice: next })} />
        ) : (
          <Pending
            read={recipients}
            waiting={
              <Skeleton className="grid h-24 content-center gap-3">
                <Bar className="h-8 w-2/3" />
              </Skeleton>
            }
          />
        )}
        <TextField
          label={SUBJECT}
          value={subject}
          maxLength={MAX_SUBJECT_LENGTH}
          autoComplete="off"
          onChange={(event) => onWritten({ subject: event.target.value })}
        />
        <MailEditor html={html} onHtml={(next) => onWritten({ html: next })} />
        <PostalAddressHint />
      </div>
      <DialogFooter>
        <div className="flex gap-2.5 md:contents">
          <Button onClick={onCancel}>{CANCEL}</Button>
          <Button className="grow md:grow-0" disabled={isIncomplete} onClick={onPreview}>
            {PREVIEW}
          </Button>
        </div>
        <Button variant="main" disabled={isIncomplete} isLoading={isReading} onClick={onSend}>
          {sendLabel(chosen)}
        </Button>
      </DialogFooter>
    </>
  );
}
