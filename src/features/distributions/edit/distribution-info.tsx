import { History } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { toast } from '../../../client/toasts/toast.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Card } from '../../../client/ui/layout/card.tsx';
import { LeaveDialog } from '../../../client/ui/overlays/leave-dialog.tsx';
import { SkeletonForm, SkeletonList } from '../../../client/ui/feedback/skeleton.tsx';
import { Form } from '../../../client/ui/forms/form.tsx';
import { ignoreUnread } from '../../../client/previous-values/ignore-unread.ts';
import { useSave } from '../../../client/api/use-calls.ts';
import { resetAfterSave } from '../../../client/hooks/reset-after-save.ts';
import { usePreviousValues } from '../../../client/previous-values/use-previous-values.ts';
import { shortDate } from '../../../shared/dates.ts';
import { DayCard } from '../../counter/counter-links.tsx';
import { replacesAnyText } from '../../../client/previous-values/texts.ts';
import { StartRehearsal } from '../../rehearsals/start-rehearsal.tsx';
import { WhatToPractice } from '../../rehearsals/what-to-practice.tsx';
import { SlotsCard } from '../../slots/edit/slots-card.tsx';
import { ClockCard } from '../ordering-times/clock-card.tsx';
import { changeDistribution, type Distribution } from '../contract.ts';
import { DeleteDraft } from './delete-draft.tsx';
import { DistributionFields, useDistributionForm } from './distribution-fields.tsx';
import { DistributionState } from './distribution-state.tsx';
import { NAME_AND_DATE, UPDATED, WHO_CHANGED_WHAT } from '../texts.ts';
import { DISCARD, SAVE } from '../../../client/texts.ts';

/** Renders the distribution-info tab with the name, the date, and the three switches (spec §2). */
export function DistributionInfo({ distribution }: { distribution: Distribution }): ReactNode {
  if (distribution.rehearsal)
    return (
      <div className="grid max-w-3xl gap-4">
        <WhatToPractice />
        <DayCard distribution={distribution} />
      </div>
    );
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[2fr_3fr]">
      <div className="grid gap-6">
        <NameAndDate distribution={distribution} />
        <ClockCard distribution={distribution} />
        <SlotsCard distribution={distribution} />
      </div>
      <div className="grid gap-4">
        <DistributionState distribution={distribution} />
        <DayCard distribution={distribution} />
        <StartRehearsal distributionId={distribution.id} />
        <Link href={`/distributor/distribution/${distribution.id}/audit`} className="link inline-flex min-h-11 items-center gap-2 text-s">
          <History className="size-4" aria-hidden />
          {WHO_CHANGED_WHAT}
        </Link>
        {!distribution.published && <DeleteDraft distribution={distribution} />}
      </div>
    </div>
  );
}

export const WaitingInfo = (): ReactNode => (
  <div className="grid items-start gap-6 lg:grid-cols-[2fr_3fr]">
    <SkeletonForm fields={2} isCard />
    <SkeletonList />
  </div>
);

function NameAndDate({ distribution: { id, name, date } }: { distribution: Distribution }): ReactNode {
  const form = useDistributionForm({ name, date });
  const { withBefore, onRefused, restart, savedMeanwhile, isUnread } = usePreviousValues({ name, date });
  const { save, isSaving } = useSave(changeDistribution, { refresh: 'always', onSaved: () => toast({ title: UPDATED }) });
  const { isDirty, dirtyFields } = form.formState;
  const submit = form.onSubmit(async (fields) => {
    const submitted = form.getValues();
    const saved = await save({ params: { id }, body: withBefore(fields, dirtyFields) });
    if (!saved.ok) return onRefused(saved.error);
    const shown = { name: saved.reply.name, date: saved.reply.date };
    resetAfterSave(form, submitted, shown);
    restart(shown);
  });
  const discard = (): void => {
    form.reset({ name, date });
    restart({ name, date });
  };
  const savedDate = savedMeanwhile('date');
  const replaced = { name: replacesAnyText(savedMeanwhile('name')), date: replacesAnyText(savedDate && shortDate(savedDate)) };
  return (
    <Card title={NAME_AND_DATE}>
      <Form {...ignoreUnread(isUnread)} onSubmit={submit} className="grid gap-5">
        <DistributionFields form={form} replaced={replaced} />
        <div className="flex flex-wrap gap-2.5">
          <Button type="submit" variant="main" isLoading={isSaving} disabled={!isDirty}>
            {SAVE}
          </Button>
          {isDirty && <Button onClick={discard}>{DISCARD}</Button>}
        </div>
      </Form>
      <LeaveDialog isDirty={isDirty} />
    </Card>
  );
}
