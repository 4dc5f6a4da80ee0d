import type { ReactNode } from 'react';
import { CANCEL, SAVE } from '../../../client/texts.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { ProgressBar } from '../../../client/ui/feedback/progress-bar.tsx';
import { TotalAnnouncer } from '../../../client/ui/feedback/total-announcer.tsx';
import type { Cents } from '../../../domain/money.ts';
import { PROGRESS, weighedSumText, unsavedText, weighedText } from '../texts.ts';

interface WeighingBarProps {
  weighed: number;
  expected: number;
  /** The number of typed weights that are not saved yet. */
  unsaved: number;
  /** The reason why the last save failed; empty when it succeeded. */
  problem: string;
  /** The cost of the weighed units, without fees. */
  amount: Cents;
  canSave: boolean;
  isSaving: boolean;
  onCancel: () => void;
}

export function WeighingBar({ weighed, expected, amount, unsaved, problem, canSave, isSaving, onCancel }: WeighingBarProps): ReactNode {
  const text = weighedText(weighed, expected);
  return (
    <section
      aria-label={PROGRESS}
      className="sticky bottom-0 z-20 -mx-4 flex flex-wrap items-center justify-between gap-x-4 border-t border-line bg-card px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] shadow-bar md:bottom-4 md:mx-0 md:mt-4 md:rounded-card md:border md:px-5 md:pb-3"
    >
      <output className="order-first w-full text-s font-semibold text-bad not-empty:mb-2">{problem}</output>
      <div className="min-w-0 flex-1 basis-28 md:max-w-md">
        <p className="justify-between gap-x-4 md:flex md:items-baseline">
          <span className="figure block leading-tight md:text-l md:whitespace-nowrap">{text}</span>
          <span className="num text-xs text-ink-soft max-md:whitespace-normal md:text-s">
            {weighedSumText(amount)}
            {unsaved > 0 && <span className="block md:inline md:before:content-['_·_']">{unsavedText(unsaved)}</span>}
          </span>
        </p>
        <ProgressBar label={text} value={weighed} max={expected} tone={weighed === expected ? 'good' : 'wait'} className="mt-1.5" />
      </div>
      <div className="ms-auto flex gap-2.5 max-[22rem]:mt-2">
        <Button size="l" onClick={onCancel} className="px-4 md:px-6">
          {CANCEL}
        </Button>
        <Button type="submit" variant="main" size="l" disabled={!canSave} isLoading={isSaving}>
          {SAVE}
        </Button>
      </div>
      <TotalAnnouncer text={text} />
    </section>
  );
}
