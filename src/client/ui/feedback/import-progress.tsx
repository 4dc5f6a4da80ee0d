import type { ReactNode } from 'react';
import { FAILED_FILE, type Problem } from '../../../shared/csv/problems.ts';
import { Button } from '../forms/button.tsx';
import { ErrorCauses } from './file-preview.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { doneText, downloadText } from '../../texts.ts';

interface ImportProgressProps {
  label: string;
  done: number;
  total: number;
  /** The result to show once the import has ended; null before that. */
  result: { title: string; text: string } | null;
  failed: readonly Problem[];
  onDownload: () => void;
  /** A button that is shown beside Cancel while the import runs, and beside the download link after the import. */
  action: ReactNode;
  cancel?: ReactNode;
}

/**
 * Shows the progress and then the result of an import. The last step of the import dialog renders this component. When the user closes the
 * dialog, the tab behind the dialog renders it instead.
 */
export function ImportProgress({ label, done, total, result, failed, onDownload, action, cancel }: ImportProgressProps): ReactNode {
  if (result) {
    return (
      <div className="grid gap-4">
        <div>
          <p className="font-semibold">{result.title}</p>
          <p className="text-s text-ink-soft">{result.text}</p>
        </div>
        <ErrorCauses problems={failed} />
        <div className="flex flex-wrap gap-2.5">
          {action}
          {failed.length > 0 && <Button onClick={onDownload}>{downloadText(FAILED_FILE)}</Button>}
        </div>
      </div>
    );
  }
  return (
    <div className="grid gap-4">
      <div>
        <p className="mb-2 flex flex-wrap justify-between gap-x-4 text-s">
          <span className="font-semibold">{label}</span>
          <span className="num text-ink-soft">{doneText(done, total)}</span>
        </p>
        <ProgressBar label={label} value={done} max={total} />
      </div>
      <div className="flex flex-wrap gap-2.5">
        {action}
        {cancel}
      </div>
    </div>
  );
}
