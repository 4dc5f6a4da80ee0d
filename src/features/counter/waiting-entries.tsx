import clsx from 'clsx';
import { CloudUpload } from 'lucide-react';
import { use, useEffect, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { CallContext } from '../../client/api/use-calls.ts';
import { homeOf } from '../../domain/accounts/roles.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { watchQueue } from './device/queue-watch.ts';
import { isRefused, isWaiting, type QueuedWrite } from './device/writes.ts';
import { entriesText, OPEN_COUNTER } from './texts.ts';

/**
 * Says on the screens of staff how many counter entries the server has not accepted, with a link to their counter, and sends the entries
 * that wait (contract §14). The counter itself has its own list.
 */
export function WaitingEntries(): ReactNode {
  const { id, role } = useUser();
  const call = use(CallContext);
  const [writes, setWrites] = useState<readonly QueuedWrite[]>([]);
  useEffect(() => watchQueue({ call, userId: id, onShow: setWrites }), [call, id]);
  const unsent = writes.filter((queued) => isWaiting(queued) || isRefused(queued));
  const byDistribution = [...Map.groupBy(unsent, ({ distributionId }) => distributionId)];
  return (
    <output className="no-print block">
      {byDistribution.map(([distributionId, own]) => {
        const refused = own.filter(isRefused).length;
        return (
          <span
            key={distributionId}
            className={clsx(
              'mt-4 flex flex-wrap items-center gap-x-3 rounded-card px-4 text-s font-semibold',
              refused > 0 ? 'bg-bad-soft text-bad' : 'bg-wait-soft text-wait',
            )}
          >
            <CloudUpload className="size-5 shrink-0" aria-hidden />
            <span className="py-2.5">{entriesText({ waiting: own.length - refused, refused })}</span>
            <Link href={`${homeOf(role)}/distribution/${distributionId}/counter`} className="link inline-flex min-h-11 items-center">
              {OPEN_COUNTER}
            </Link>
          </span>
        );
      })}
    </output>
  );
}
