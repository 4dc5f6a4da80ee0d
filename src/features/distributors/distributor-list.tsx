import type { ReactNode } from 'react';
import { Card } from '../../client/ui/layout/card.tsx';
import { EmptyState } from '../../client/ui/feedback/empty-state.tsx';
import { Badge } from '../../client/ui/feedback/badge.tsx';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { SkeletonList } from '../../client/ui/feedback/skeleton.tsx';
import { useRead } from '../../client/api/use-calls.ts';
import { shortDate } from '../../shared/dates.ts';
import { AddDistributor } from './add-distributor.tsx';
import { listDistributors, listDistributorStates, type Distributor, type DistributorState } from './contract.ts';
import { DistributorActions, isLockedNow } from './distributor-actions.tsx';
import {
  addedText,
  DISTRIBUTORS,
  DISTRIBUTORS_MEAN,
  idText,
  INVITED_BADGE,
  IS_DISABLED_BADGE,
  IS_LOCKED_BADGE,
  lastActText,
  mailsText,
  NO_DISTRIBUTORS,
} from './texts.ts';

/** Lists every distributor with e-mail address and id (spec §2). */
export function DistributorList(): ReactNode {
  const list = useRead(listDistributors);
  const { data } = list;
  // The states are read separately, so that the list appears without waiting for them and stays if reading them fails.
  const { data: states } = useRead(listDistributorStates);
  if (!data)
    return (
      <div className="max-w-3xl">
        <Pending read={list} waiting={<SkeletonList />} />
      </div>
    );
  if (data.length === 0) {
    return (
      <Card title={DISTRIBUTORS} subtitle={DISTRIBUTORS_MEAN} className="max-w-3xl">
        <EmptyState picture="people" text={NO_DISTRIBUTORS} action={<AddDistributor />} />
      </Card>
    );
  }
  return (
    <Card title={DISTRIBUTORS} subtitle={DISTRIBUTORS_MEAN} actions={<AddDistributor />} isFlush className="max-w-3xl">
      <ul aria-label={DISTRIBUTORS}>
        {data.map((distributor) => (
          <Row key={distributor.id} distributor={distributor} state={states?.find(({ id }) => id === distributor.id)} />
        ))}
      </ul>
    </Card>
  );
}

function Row({ distributor: { id, email }, state }: { distributor: Distributor; state: DistributorState | undefined }): ReactNode {
  return (
    <li className="flex items-start justify-between gap-4 border-b border-line px-4 py-3.5 last:border-b-0 md:px-5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="min-w-0 font-semibold break-words">{email}</span>
          {state?.isDisabled && <Badge tone="bad">{IS_DISABLED_BADGE}</Badge>}
          {state && isLockedNow(state) && <Badge tone="bad">{IS_LOCKED_BADGE}</Badge>}
          {state && !state.isDisabled && !state.hasSignedIn && <Badge tone="wait">{INVITED_BADGE}</Badge>}
        </p>
        {state && (
          <div className="mt-1 text-s text-ink-soft">
            <p className="num">{mailsText(state.mails)}</p>
            <p className="num">{addedText(state.added)}</p>
            {state.lastAct && <p>{lastActText(state.lastAct.act, shortDate(state.lastAct.at.slice(0, 10)), state.lastAct.by)}</p>}
          </div>
        )}
      </div>
      <div className="-mt-2.5 flex shrink-0 items-center gap-3">
        <span className="num text-s text-ink-soft">{idText(id)}</span>
        {state && <DistributorActions email={email} state={state} />}
      </div>
    </li>
  );
}
