import { useCallback, useEffect, useMemo, useState } from 'react';
import { draftOf } from '../../../client/storage/draft.ts';
import type { Choice, Group } from './use-recipients.ts';
import { isEmpty, type EmailDraft } from './write-step.tsx';

const NOTHING: EmailDraft = { subject: '', html: '', choice: 'all' };

interface KeptMail {
  subject: string;
  html: string;
  /** The ids of individually chosen recipients, or of the recipients that remain after an interrupted mailing; null for a group. */
  people: number[] | null;
}

const isKept = (kept: unknown): kept is KeptMail =>
  typeof kept === 'object' &&
  kept !== null &&
  'subject' in kept &&
  typeof kept.subject === 'string' &&
  'html' in kept &&
  typeof kept.html === 'string' &&
  'people' in kept &&
  (kept.people === null || Array.isArray(kept.people));

/**
 * Returns the draft of an e-mail and the functions that change it. The draft is stored on the device until it is sent or discarded (design
 * §2.5).
 */
export function useEmailDraft(userId: number, distributionId: number | undefined) {
  const draft = useMemo(() => draftOf<unknown>(userId, `email-${distributionId ?? 'customers'}`), [userId, distributionId]);
  const [written, setWritten] = useState<EmailDraft>(() => {
    const kept = draft.read();
    if (!isKept(kept)) return NOTHING;
    const choice: Choice = kept.people === null ? 'all' : new Set(kept.people);
    return { subject: kept.subject, html: kept.html, choice };
  });
  useEffect(() => {
    const { subject, html, choice } = written;
    if (isEmpty(written)) draft.clear();
    else draft.keep({ subject, html, people: typeof choice === 'object' ? [...choice] : null } satisfies KeptMail);
  }, [draft, written]);
  const change = useCallback((changes: Partial<EmailDraft>) => setWritten((before) => ({ ...before, ...changes })), []);
  /** Changes the recipients only of an empty draft. A draft that was begun for another group keeps its recipients. */
  const beginTo = useCallback((group: Group) => setWritten((before) => (isEmpty(before) ? { ...before, choice: group } : before)), []);
  return { written, change, beginTo, discard: useCallback(() => setWritten(NOTHING), []) };
}
