import type { ReactNode } from 'react';
import { TRY_AGAIN } from '../../../client/texts.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { DialogFooter } from '../../../client/ui/overlays/dialog.tsx';
import { ProgressBar } from '../../../client/ui/feedback/progress-bar.tsx';
import { BACK_TO_EMAIL, NOBODY_TWICE, restText, SENDING, SENDING_STOPPED, sentText } from '../texts.ts';
import type { Sending } from './use-sending.ts';

/** Shows the progress of sending. After an interruption, shows how many recipients remain and lets the user continue. */
export function SendingStep({ sending, onRetry, onBack }: { sending: Sending; onRetry: () => void; onBack: () => void }): ReactNode {
  const { isStopped, total, sent, mustRepeat } = sending;
  return (
    <>
      <p className="mb-2 flex flex-wrap justify-between gap-x-4 text-s">
        <span className="font-semibold">{isStopped ? SENDING_STOPPED : SENDING}</span>
        <span className="num text-ink-soft">{sentText(sent, total)}</span>
      </p>
      <ProgressBar label={SENDING} value={sent} max={total} tone={isStopped ? 'wait' : 'good'} />
      {isStopped && (
        <>
          <p role="alert" className="mt-4">
            {restText(sent, total - sent, mustRepeat)}
          </p>
          <p className="mt-1 text-s text-ink-soft">{NOBODY_TWICE}</p>
          <DialogFooter>
            {!mustRepeat && <Button onClick={onBack}>{BACK_TO_EMAIL}</Button>}
            <Button variant="main" onClick={onRetry}>
              {TRY_AGAIN}
            </Button>
          </DialogFooter>
        </>
      )}
    </>
  );
}
