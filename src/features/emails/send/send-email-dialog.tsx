import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { toast } from '../../../client/toasts/toast.ts';
import { ConfirmDialog } from '../../../client/ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { Tabs } from '../../../client/ui/layout/tabs.tsx';
import { UNREAD_VALUE_MS, useUnread } from '../../../client/hooks/use-unread.ts';
import { useLeaveGuard } from '../../../client/navigation/use-leave-guard.ts';
import { useUser } from '../../auth/auth-provider.tsx';
import { EmailLog } from '../email-log.tsx';
import { hasEditorPopup } from './mail-editor.tsx';
import { PreviewStep } from './preview-step.tsx';
import { SendingStep } from './sending-step.tsx';
import { KEEP_EDITING } from '../../../client/texts.ts';
import { joinedMessages, DISCARD, DISCARD_MEANS, DISCARD_QUESTION, LOG, RECIPIENTS_CHANGED, SEND_EMAIL, WRITE } from '../texts.ts';
import { chosenOf, useRecipients, type Group, type Recipient } from './use-recipients.ts';
import { useSending } from './use-sending.ts';
import { useEmailDraft } from './use-email-draft.ts';
import { isEmpty, WriteStep } from './write-step.tsx';

type Shown = 'new' | 'earlier';
type Writing = ReturnType<typeof useEmailDraft>;
type Mailing = ReturnType<typeof useSending>;

interface SendEmailDialogProps {
  open: boolean;
  onClose: () => void;
  distributionId: number | undefined;
  /** The group that is chosen at first for a new e-mail. */
  group: Group;
}

/**
 * The dialog for writing, previewing and sending an e-mail, and for the log of earlier mails. It stays mounted when closed, so that an
 * interrupted mailing can continue.
 */
export function SendEmailDialog({ open, onClose, distributionId, group }: SendEmailDialogProps): ReactNode {
  const { id: userId } = useUser();
  const [shown, setShown] = useState<Shown>('new');
  const writing = useEmailDraft(userId, distributionId);
  const { change, discard, beginTo } = writing;
  useEffect(() => {
    if (open) beginTo(group);
  }, [open, group, beginTo]);
  /** The draft with which the mailing was begun, and the number of its recipients. */
  const begun = useRef({ ...writing.written, recipients: 0 });
  // Before each call, its recipients are removed from the draft. If the tab is closed during the call, or the reply is lost, the draft that is
  // restored later does not offer the e-mail to them again. If the server has refused the first call, the draft keeps its choice.
  const onProgress = useCallback(
    (left: readonly Recipient[], unsure: readonly Recipient[]) => {
      const { choice, recipients, unsure: earlier } = begun.current;
      const isNothingSent = left.length === recipients;
      change({ choice: isNothingSent ? choice : new Set(left.map((person) => person.userId)), unsure: earlier + unsure.length });
    },
    [change],
  );
  const onSent = useCallback(
    (messages: readonly string[]) => {
      discard();
      setShown('earlier');
      toast({ title: messages.length === 1 ? (messages[0] ?? '') : joinedMessages(messages) });
    },
    [discard],
  );
  const mailing = useSending({ onProgress, onSent });
  /** Whether the recipients are read again before the e-mail is sent. */
  const [isReading, setIsReading] = useState(false);
  const isSending = isReading || mailing.sending?.isStopped === false;
  useLeaveGuard(isSending);
  const start: Mailing['start'] = (content, recipients) => {
    begun.current = { ...writing.written, recipients: recipients.length };
    mailing.start(content, recipients);
  };
  return (
    <Dialog open={open} onClose={() => isSending || hasEditorPopup() || onClose()} title={SEND_EMAIL} size="l">
      <Tabs
        label={SEND_EMAIL}
        labels={{ new: WRITE, earlier: LOG }}
        contents={{
          new: (
            <NewEmail
              distributionId={distributionId}
              writing={writing}
              mailing={{ ...mailing, start, isReading, setIsReading }}
              onClose={onClose}
            />
          ),
          earlier: <EmailLog />,
        }}
        value={shown}
        onValue={setShown}
      />
    </Dialog>
  );
}

function haveSameMembers(some: readonly Recipient[], others: readonly Recipient[]): boolean {
  const ids = new Set(some.map(({ userId }) => userId));
  return some.length === others.length && others.every(({ userId }) => ids.has(userId));
}

interface NewEmailProps {
  distributionId: number | undefined;
  writing: Writing;
  mailing: Mailing & { isReading: boolean; setIsReading: (isReading: boolean) => void };
  onClose: () => void;
}

function NewEmail({ distributionId, writing, mailing, onClose }: NewEmailProps): ReactNode {
  const { email } = useUser();
  const { written, change, discard } = writing;
  const { sending, start, resume, forget, isReading, setIsReading } = mailing;
  /** Why the preview is shown; null if it is not. */
  const [preview, setPreview] = useState<'wanted' | 'recipients have changed' | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  // The preview that appears instead of sending has its own Send button at the same place.
  const { isUnread } = useUnread(preview === 'recipients have changed' ? preview : undefined, UNREAD_VALUE_MS);
  const recipients = useRecipients(distributionId);
  const chosen = recipients.people ? chosenOf(written.choice, recipients.people) : [];
  const content = { subject: written.subject.trim(), html: written.html, replyTo: email };
  if (sending) return <SendingStep sending={sending} onRetry={resume} onBack={forget} />;
  const send = (to: readonly Recipient[]): void => {
    setPreview(null);
    start(content, to);
  };
  // Reads the recipients again before it sends, because somebody may have paid or ordered since they were read. If they have changed, nothing
  // is sent, and the preview says how many they are now.
  const readAndSend = async (): Promise<void> => {
    setIsReading(true);
    const people = await recipients.refetch();
    setIsReading(false);
    const chosenNow = people ? chosenOf(written.choice, people) : chosen;
    if (haveSameMembers(chosenNow, chosen)) return send(chosenNow);
    toast({ title: RECIPIENTS_CHANGED });
    setPreview('recipients have changed');
  };
  if (preview !== null) {
    return (
      <PreviewStep
        content={content}
        recipients={chosen}
        onBack={() => setPreview(null)}
        onSend={({ timeStamp }) => !isUnread(timeStamp) && send(chosen)}
      />
    );
  }
  // Cancel discards the e-mail, after a confirmation if the user typed something. The dialog's close button keeps the draft.
  const leave = (): void => {
    discard();
    onClose();
  };
  return (
    <>
      {/* While the recipients are read again, the e-mail can be neither changed nor discarded. */}
      <div inert={isReading}>
        <WriteStep
          recipients={recipients}
          written={written}
          onWritten={change}
          onCancel={() => (isEmpty(written) ? leave() : setIsAsking(true))}
          onPreview={() => {
            void recipients.refetch();
            setPreview('wanted');
          }}
          onSend={() => void readAndSend()}
          isReading={isReading}
        />
      </div>
      {isAsking && (
        <ConfirmDialog
          title={DISCARD_QUESTION}
          confirmLabel={DISCARD}
          cancelLabel={KEEP_EDITING}
          isDanger
          onConfirm={leave}
          onClose={() => setIsAsking(false)}
        >
          {DISCARD_MEANS}
        </ConfirmDialog>
      )}
    </>
  );
}
