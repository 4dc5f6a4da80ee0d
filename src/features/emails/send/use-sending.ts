// Sends one e-mail to many recipients by several calls, one after the other, and keeps the recipients that remain after a failure.
import { useCallback, useRef, useState } from 'react';
import { isRefusal, isResultKnown } from '../../../client/api/fetch.ts';
import { dismissToasts } from '../../../client/toasts/toast.ts';
import { useSave } from '../../../client/api/use-calls.ts';
import { sendEmails, type OutgoingMail } from '../contract.ts';
import type { Recipient } from './use-recipients.ts';

// The maximum number of recipients of one call. Contract §2 allows 200 recipients and a body below 4 MB.
const MAX_PER_CALL = 200;
const MAX_BODY = 3_500_000;

export type EmailToSend = Omit<OutgoingMail, 'to'>;

export interface Sending {
  readonly isStopped: boolean;
  readonly total: number;
  readonly sent: number;
  /** True while the result of the last call is unknown. That call may then only be repeated without changes. */
  readonly mustRepeat: boolean;
}

interface Plan {
  readonly content: EmailToSend;
  readonly total: number;
  readonly messages: string[];
  left: readonly Recipient[];
  /** Whether an attempt of the last call got no reply. A later attempt may then be refused although the first one was executed. */
  isUnknown: boolean;
}

export interface SendingOptions {
  /**
   * Called before each call, and again when its result is known. `left` are the recipients who will be in a later call. `unsure` are the
   * recipients of a call without a result: they may or may not get the mail.
   */
  onProgress: (left: readonly Recipient[], unsure: readonly Recipient[]) => void;
  /** Called when all mails are queued, with the server's message of each call. */
  onSent: (messages: readonly string[]) => void;
}

/**
 * Queues a separate mail for each recipient. After a failure, the same call is sent again unchanged, so that nobody gets the mail twice.
 */
export function useSending({ onProgress, onSent }: SendingOptions) {
  const { save } = useSave(sendEmails, { refresh: false });
  const [sending, setSending] = useState<Sending | null>(null);
  const plan = useRef<Plan | null>(null);

  const run = useCallback(async (): Promise<void> => {
    const { current } = plan;
    if (!current) return;
    const { content, total, messages } = current;
    const show = (isStopped: boolean, mustRepeat = false): void =>
      setSending({ isStopped, total, sent: total - current.left.length, mustRepeat });
    show(false);
    const size = recipientsACall(content);
    while (current.left.length > 0) {
      const [now, later] = [current.left.slice(0, size), current.left.slice(size)];
      onProgress(later, now);
      const saved = await save({ body: now.map(({ email }) => ({ to: email, ...content })) });
      if (!saved.ok) {
        current.isUnknown = current.isUnknown ? !isResultKnown(saved.error) : !isRefusal(saved.error);
        if (!current.isUnknown) onProgress(current.left, []);
        show(true, current.isUnknown);
        return;
      }
      current.isUnknown = false;
      messages.push(saved.reply.message);
      current.left = later;
      onProgress(later, []);
      show(false);
    }
    plan.current = null;
    setSending(null);
    onSent(messages);
  }, [save, onProgress, onSent]);

  const start = (content: EmailToSend, recipients: readonly Recipient[]): void => {
    plan.current = { content, total: recipients.length, messages: [], left: recipients, isUnknown: false };
    void run();
  };
  const forget = (): void => {
    plan.current = null;
    setSending(null);
  };
  const resume = (): void => {
    // A new attempt removes the error toast of the previous attempt.
    dismissToasts();
    void run();
  };
  return { sending, start, resume, forget };
}

function recipientsACall(content: EmailToSend): number {
  const MAX_ADDRESS_LENGTH = 300;
  const bytes = new TextEncoder().encode(JSON.stringify(content)).length + MAX_ADDRESS_LENGTH;
  return Math.max(1, Math.min(MAX_PER_CALL, Math.floor(MAX_BODY / bytes)));
}
