import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useRead, useSave } from '../../../client/api/use-calls.ts';
import { useReportDirty } from '../../../client/hooks/use-report-dirty.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { Pending } from '../../../client/ui/feedback/pending.tsx';
import { SkeletonForm } from '../../../client/ui/feedback/skeleton.tsx';
import { optionsOf, SegmentedControl } from '../../../client/ui/forms/choices.tsx';
import { DialogForm } from '../../../client/ui/overlays/dialog-form.tsx';
import { ENOUGH_WEIGHED } from '../../../domain/weights/estimates.ts';
import type { Distribution } from '../../distributions/contract.ts';
import { DistributionFields, useDistributionForm } from '../../distributions/edit/distribution-fields.tsx';
import { copyDistribution, readEstimates, type Estimate } from '../contract.ts';
import { COPIED, copiedText, COPY_DISTRIBUTION, ESTIMATE_MODES, ESTIMATES, measuredMeans, SAME_MEANS } from '../texts.ts';
import { changesEstimate, EstimateList } from './estimate-list.tsx';
import { dateNextYear, nameNextYear } from './next-year.ts';

interface CopyFormProps {
  distribution: Distribution;
  onDirty: (isDirty: boolean) => void;
}

export function CopyForm({ distribution, onDirty }: CopyFormProps): ReactNode {
  const read = useRead(readEstimates, { id: distribution.id });
  if (read.data) return <Loaded distribution={distribution} estimates={read.data} onDirty={onDirty} />;
  return <Pending read={read} waiting={<SkeletonForm fields={3} />} />;
}

type Mode = keyof typeof ESTIMATE_MODES;
const MODES = optionsOf(['measured', 'same'], ESTIMATE_MODES);

function Loaded({ distribution, estimates, onDirty }: CopyFormProps & { estimates: readonly Estimate[] }): ReactNode {
  const { id, name, date } = distribution;
  const [, navigate] = useLocation();
  const hasChanges = estimates.some(changesEstimate);
  const [mode, setMode] = useState<Mode>(hasChanges ? 'measured' : 'same');
  const [kept, setKept] = useState<ReadonlySet<number>>(new Set());
  const form = useDistributionForm({ name: nameNextYear(name, date), date: dateNextYear(date) });
  const { isDirty } = form.formState;
  const { save, isSaving } = useSave(copyDistribution, {
    onSaved: (copy) => toast({ title: COPIED, description: copiedText(copy.name) }),
    leave: (copy) => navigate(`/distributor/distribution/${copy.id}`),
  });
  useReportDirty(isDirty || kept.size > 0, onDirty);
  return (
    <DialogForm
      submitLabel={COPY_DISTRIBUTION}
      isSaving={isSaving}
      onSubmit={form.onSubmit((fields) =>
        save({ params: { id }, body: { ...fields, estimates: mode, keep: mode === 'same' ? [] : [...kept] } }),
      )}
    >
      <div className="grid gap-5">
        <DistributionFields form={form} />
        {estimates.some(({ weighed }) => weighed > 0) && (
          <div className="grid gap-2.5">
            <p className="text-s font-semibold">{ESTIMATES}</p>
            <SegmentedControl label={ESTIMATES} options={MODES} value={mode} onValue={setMode} />
            <p className="text-s text-ink-soft">{mode === 'same' ? SAME_MEANS : measuredMeans(ENOUGH_WEIGHED)}</p>
            {mode === 'measured' && <EstimateList estimates={estimates} kept={kept} onKept={setKept} />}
          </div>
        )}
      </div>
    </DialogForm>
  );
}
