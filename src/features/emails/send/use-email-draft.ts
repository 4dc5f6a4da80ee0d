import { useCallback, useEffect, useMemo, useState } from 'react';
import * as z from 'zod/mini';
import { draftOf } from '../../../client/storage/draft.ts';
import { GROUPS, type Group } from './use-recipients.ts';
import { isEmpty, type EmailDraft } from './write-step.tsx';

const NOTHING: EmailDraft = { subject: '', html: '', choice: 'all', unsure: 0 };

const KeptMail = z.object({
  subject: z.string(),
  html: z.string(),
  /** The ids of individually chosen recipients, or of the recipients that remain after an interrupted mailing; null for a group. */
  people: z.nullable(z.array(z.int())),
  /** The chosen group, if no people are chosen individually. A draft that a previous version has stored has none. */
  group: z.optional(z.enum(GROUPS)),
  unsure: z.optional(z.int()),
});

/**
 * Returns the draft of an e-mail and the functions that change it. The draft is stored on the device until it is sent or discarded (design
 * §2.5).
 */
export function useEmailDraft(userId: number, distributionId: number | undefined) {
  const draft = useMemo(() => draftOf<unknown>(userId, `email-${distributionId ?? 'customers'}`), [userId, distributionId]);
  const [written, setWritten] = useState<EmailDraft>(() => {
    const { data } = KeptMail.safeParse(draft.read());
    if (!data) return NOTHING;
    const { subject, html, people, group, unsure = 0 } = data;
    // A draft without people and without a group is restored without recipients, so that nobody gets a mail that is meant for others.
    return { subject, html, unsure, choice: people === null && group ? group : new Set(people) };
  });
  useEffect(() => {
    const { choice, ...rest } = written;
    const recipients = typeof choice === 'object' ? { people: [...choice] } : { people: null, group: choice };
    if (isEmpty(written)) draft.clear();
    else draft.keep({ ...rest, ...recipients } satisfies z.infer<typeof KeptMail>);
  }, [draft, written]);
  const change = useCallback((changes: Partial<EmailDraft>) => setWritten((before) => ({ ...before, ...changes })), []);
  /** Sets the recipients if the draft is empty. A draft that was begun for another group keeps its recipients. */
  const beginTo = useCallback((group: Group) => setWritten((before) => (isEmpty(before) ? { ...before, choice: group } : before)), []);
  return { written, change, beginTo, discard: useCallback(() => setWritten(NOTHING), []) };
}
