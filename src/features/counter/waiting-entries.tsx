import { useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { CloudUpload } from 'lucide-react';
import { use, useEffect, useRef, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { CallContext, refreshReads, useRead } from '../../client/api/use-calls.ts';
import { useOnline } from '../../client/hooks/use-online.ts';
import { homeOf } from '../../domain/accounts/roles.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { listDistributions } from '../distributions/contract.ts';
import { readSnapshots } from './device/counter-db.ts';
import { removeEndedFamilies } from './device/ended-families.ts';
import { watchQueue } from './device/queue-watch.ts';
import { isRefused, isUnsent, isWaiting, type QueuedWrite } from './device/writes.ts';
import { OthersEntries } from './others-entries.tsx';
import { COUNTER_WORKS_OFFLINE, entriesText, OPEN_COUNTER } from './texts.ts';

export interface WaitingEntriesProps {
  /** Whether the screen could not be loaded, so that the user needs a way back to the counter. */
  isUnreachable?: boolean;
}

/**
 * Shows on the screens of staff how many counter entries the server has not accepted, with a link to their counter (contract §14). Sends
 * the entries that wait, and refreshes the data of the screen when all are sent. Without a network, also links to the counters whose
 * families are on the device, because other screens may not open then. Also removes families from the device when their distribution
 * accepts no actual quantities any more. The counter's own screen shows its queue instead.
 */
export function WaitingEntries({ isUnreachable = false }: WaitingEntriesProps): ReactNode {
  const { id, role } = useUser();
  const call = use(CallContext);
  const [writes, setWrites] = useState<readonly QueuedWrite[]>([]);
  const [othersUnsent, setOthersUnsent] = useState(0);
  useEffect(() => watchQueue({ call, userId: id, onShow: setWrites, onShowOthers: setOthersUnsent }), [call, id]);
  const isAnyWaiting = writes.some(isWaiting);
  const wasAnyWaiting = useRef(false);
  const client = useQueryClient();
  useEffect(() => {
    // The screen may show figures from before the entries were sent.
    if (wasAnyWaiting.current && !isAnyWaiting) void refreshReads(client);
    wasAnyWaiting.current = isAnyWaiting;
  }, [isAnyWaiting, client]);
  // Sends no request. The list is present if another part of the screen has read it.
  const { data: distributions, dataUpdatedAt: readAt } = useRead(listDistributions, undefined, { enabled: false });
  useEffect(() => {
    if (distributions) removeEndedFamilies({ distributions, readAt }).catch(() => undefined);
  }, [distributions, readAt]);
  const unsent = writes.filter(isUnsent);
  const byDistribution = Map.groupBy(unsent, ({ distributionId }) => distributionId);
  const isOffline = !useOnline() || isUnreachable;
  const stored = useStoredDistributions(isOffline);
  const shown = new Set([...byDistribution.keys(), ...stored]);
  return (
    <>
      <OthersEntries count={othersUnsent} />
      <output className="no-print block">
        {[...shown].map((distributionId) => {
          const own = byDistribution.get(distributionId) ?? [];
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
              <span className="py-2.5">{entriesText({ waiting: own.length - refused, refused }) || COUNTER_WORKS_OFFLINE}</span>
              <Link
                href={`${homeOf(role)}/distribution/${distributionId}/counter`}
                className="inline-flex min-h-11 items-center underline underline-offset-4"
              >
                {OPEN_COUNTER}
              </Link>
            </span>
          );
        })}
      </output>
    </>
  );
}

/** Returns the ids of the distributions whose families are on the device, while the device has no network. */
function useStoredDistributions(isOffline: boolean): readonly number[] {
  const { id } = useUser();
  const [stored, setStored] = useState<readonly number[]>([]);
  useEffect(() => {
    if (!isOffline) return;
    readSnapshots().then(
      (snapshots) => setStored(snapshots.filter(({ user }) => user.id === id).map(({ distribution }) => distribution.id)),
      () => undefined,
    );
  }, [isOffline, id]);
  return isOffline ? stored : [];
}
