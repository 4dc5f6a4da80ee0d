import { useState, type ReactNode } from 'react';
import { toast } from '../../../client/toasts/toast.ts';
import { UNDO_MS } from '../../../client/toasts/toast-queue.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { Badge, type Tone } from '../../../client/ui/feedback/badge.tsx';
import { useSave } from '../../../client/api/use-calls.ts';
import { opensLater, type Flags } from '../../../domain/distribution.ts';
import { zonedTime } from '../../../shared/zoned-time.ts';
import { useOrderingTime } from '../ordering-times/use-ordering-time.ts';
import { BeforePublishing } from './before-publishing.tsx';
import { CloseOrdering } from './close-ordering.tsx';
import { changeDistribution, type Distribution } from '../contract.ts';
import {
  ACCEPT_ACTUALS,
  ACCEPTING_ACTUALS,
  ACTUAL_QUANTITIES,
  DRAFT,
  MEANING,
  NOT_ACCEPTING,
  NOT_OPEN_YET,
  ORDERING,
  ORDERING_CLOSED,
  ORDERING_OPEN,
  PUBLISH,
  PUBLISHED,
  STATE,
  STOP_ACCEPTING_ACTUALS,
  UNDO,
  UNPUBLISH,
  UPDATED,
  VISIBILITY,
} from '../texts.ts';

/** Shows what the three flags mean in their current state, and the switches that change them (spec §4). */
export function DistributionState({ distribution }: { distribution: Distribution }): ReactNode {
  const { id, published, orderingOpen, closesAt, timeZone, acceptActuals } = distribution;
  const { save, isSaving } = useSave(changeDistribution);
  const [changing, setChanging] = useState<Partial<Flags>>({});
  const isChanging = (flag: keyof Flags): boolean => isSaving && flag in changing;
  const isLater = opensLater(distribution, useOrderingTime([distribution]));
  const isOpenNow = published && !isLater;

  const openMeaning = closesAt === null ? MEANING.open : MEANING.openUntil(zonedTime(closesAt, timeZone));

  const change = async (body: Partial<Flags>, undo?: Partial<Flags>): Promise<void> => {
    setChanging(body);
    const saved = await save({ params: { id }, body });
    if (!saved.ok) return;
    const takeBack = undo && { duration: UNDO_MS, action: { label: UNDO, onClick: () => void change(undo) } };
    toast({ title: UPDATED, ...takeBack });
  };

  return (
    <Card title={STATE} isFlush>
      <ul aria-label={STATE}>
        <Switch
          title={VISIBILITY}
          tone={published ? 'good' : 'none'}
          state={published ? PUBLISHED : DRAFT}
          meaning={published ? MEANING.published : MEANING.draft}
          note={!published && <BeforePublishing distribution={distribution} />}
        >
          {published ? (
            <Button
              disabled={isSaving}
              isLoading={isChanging('published')}
              onClick={() => void change({ published: false }, { published: true })}
            >
              {UNPUBLISH}
            </Button>
          ) : (
            <Button variant="main" disabled={isSaving} isLoading={isChanging('published')} onClick={() => void change({ published: true })}>
              {PUBLISH}
            </Button>
          )}
        </Switch>
        <Switch
          title={ORDERING}
          tone={!orderingOpen ? 'wait' : isOpenNow ? 'good' : 'none'}
          state={!orderingOpen ? ORDERING_CLOSED : isOpenNow ? ORDERING_OPEN : NOT_OPEN_YET}
          meaning={!orderingOpen ? MEANING.closed : isOpenNow ? openMeaning : isLater ? MEANING.opensLater : MEANING.notYetOpen}
        >
          {orderingOpen ? (
            <CloseOrdering distribution={distribution} disabled={isSaving} onClose={() => void change({ orderingOpen: false })} />
          ) : (
            <Button disabled>{ORDERING_CLOSED}</Button>
          )}
        </Switch>
        <Switch
          title={ACTUAL_QUANTITIES}
          tone={acceptActuals ? 'good' : 'none'}
          state={acceptActuals ? ACCEPTING_ACTUALS : NOT_ACCEPTING}
          meaning={acceptActuals ? MEANING.accepting : MEANING.notAccepting}
        >
          <Button
            disabled={isSaving}
            isLoading={isChanging('acceptActuals')}
            onClick={() => void change({ acceptActuals: !acceptActuals })}
          >
            {acceptActuals ? STOP_ACCEPTING_ACTUALS : ACCEPT_ACTUALS}
          </Button>
        </Switch>
      </ul>
    </Card>
  );
}

interface SwitchProps {
  title: string;
  tone: Tone;
  state: string;
  meaning: string;
  note?: ReactNode;
  children: ReactNode;
}

function Switch({ title, tone, state, meaning, note, children }: SwitchProps): ReactNode {
  return (
    <li className="flex flex-col gap-3 border-b border-line px-4 py-4 last:border-b-0 sm:flex-row sm:items-center sm:gap-6 md:px-5">
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-semibold">{title}</span>
          <Badge tone={tone}>{state}</Badge>
        </p>
        <p className="mt-1 text-s text-ink-soft">{meaning}</p>
        {note}
      </div>
      {children}
    </li>
  );
}
