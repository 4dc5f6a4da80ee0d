import type { ReactNode } from 'react';
import { DISCARD } from '../../../client/texts.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { ConfirmDialog } from '../../../client/ui/overlays/confirm-dialog.tsx';
import { changesText, discardQuestion, DISCARDING, problemsText, SAVE_CHANGES, saveChangesText, SHOW_PROBLEM } from '../texts.ts';
import { lowLimitsText } from '../../catalogue/texts.ts';
import type { EditSummary } from './edits.ts';

interface SaveBarProps {
  summary: EditSummary;
  isSaving: boolean;
  onSave: () => void;
  onDiscard: () => void;
  /** Called to focus the next cell that cannot be saved. */
  onShowProblem: () => void;
}

export function SaveBar({ summary, isSaving, onSave, onDiscard, onShowProblem }: SaveBarProps): ReactNode {
  const { changed, saved, lowLimits, problems } = summary;
  if (changed === 0) return null;
  return (
    <section
      aria-label={changesText(changed)}
      className="sticky bottom-0 z-20 -mx-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5 border-t border-line bg-card px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] shadow-bar md:bottom-4 md:mx-0 md:mt-4 md:rounded-card md:border md:px-5 md:pb-3"
    >
      <div className="flex min-w-0 flex-wrap items-center gap-x-4">
        <output className="font-semibold">{changesText(changed)}</output>
        {problems.length > 0 && (
          <span className="flex flex-wrap items-center gap-x-3 text-s text-bad">
            {problemsText(problems.length)}
            <button type="button" className="link inline-flex min-h-11 items-center dense:min-h-8" onClick={onShowProblem}>
              {SHOW_PROBLEM}
            </button>
          </span>
        )}
      </div>
      <output className="text-s text-wait empty:hidden md:order-1 md:w-full">{lowLimits > 0 ? lowLimitsText(lowLimits) : null}</output>
      <div className="flex gap-2.5 max-md:w-full max-md:*:grow">
        <ConfirmDialog
          trigger={<Button disabled={isSaving}>{DISCARD}</Button>}
          title={discardQuestion(changed)}
          confirmLabel={DISCARD}
          isDanger
          onConfirm={onDiscard}
        >
          {DISCARDING}
        </ConfirmDialog>
        <Button variant="main" disabled={saved === 0} isLoading={isSaving} onClick={onSave}>
          {saved === 0 ? SAVE_CHANGES : saveChangesText(saved)}
        </Button>
      </div>
    </section>
  );
}
