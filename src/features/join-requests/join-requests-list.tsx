import type { ReactNode } from 'react';
import { toast } from '../../client/toasts/toast.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { ConfirmDialog } from '../../client/ui/overlays/confirm-dialog.tsx';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import { paymentTime } from '../../shared/dates.ts';
import { clearJoinRequests, readJoinRequests } from './contract.ts';
import {
  CLEAR_MEANS,
  CLEAR_QUESTION,
  CLEAR_REQUESTS,
  JOIN_REQUESTS,
  JOIN_REQUESTS_MEAN,
  newestText,
  NOT_MAILED,
  requestsText,
  REQUESTS_CLEARED,
} from './texts.ts';

/** Lists the people who used the join link but have not confirmed their e-mail address yet. Hidden when there are none. */
export function JoinRequestsList(): ReactNode {
  const { data } = useRead(readJoinRequests);
  const { save, isSaving } = useSave(clearJoinRequests, { onSaved: () => void toast({ title: REQUESTS_CLEARED }) });
  if (data === undefined || data.count === 0) return null;
  const { count, newest } = data;
  return (
    <section aria-labelledby="join-requests" className="mt-6 border-t border-line pt-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 id="join-requests" className="font-semibold">
          {JOIN_REQUESTS}: {requestsText(count)}
        </h3>
        <ConfirmDialog
          trigger={<Button isLoading={isSaving}>{CLEAR_REQUESTS}</Button>}
          title={CLEAR_QUESTION}
          confirmLabel={CLEAR_REQUESTS}
          isDanger
          onConfirm={() => void save()}
        >
          {CLEAR_MEANS}
        </ConfirmDialog>
      </div>
      <p className="mt-1 text-s text-ink-soft">
        {JOIN_REQUESTS_MEAN} {newest.length < count && newestText(newest.length)}
      </p>
      <ul className="mt-3 divide-y divide-line rounded-ctl border border-line">
        {newest.map(({ id, email, requestedAt, isMailed }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 px-3 py-2">
            <span className="min-w-0 break-all">{email}</span>
            <span className="text-s whitespace-nowrap text-ink-soft">{paymentTime(requestedAt)}</span>
            {!isMailed && <span className="basis-full text-s text-ink-soft">{NOT_MAILED}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
