import clsx from 'clsx';
import { FileUp } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { ProgressBar } from '../feedback/progress-bar.tsx';
import { CHOOSE_CSV, OR_DROP_CSV, READING_FILE } from '../../texts.ts';

export interface FileFieldProps {
  /** How much of the chosen file has been read, as a fraction from 0 to 1; null when no file is being read. */
  read: number | null;
  /** The reason why the last chosen file cannot be used, or null. */
  problem: string | null;
  onFile: (file: File) => void;
}

export function FileField({ read, problem, onFile }: FileFieldProps): ReactNode {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const take = (files: FileList | null): void => {
    const [file] = files ?? [];
    if (file) onFile(file);
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- without dropping, users choose a file with the field inside */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          take(event.dataTransfer.files);
        }}
        className={clsx(
          'relative grid justify-items-center gap-2 rounded-card border-2 border-dashed px-6 py-10 text-center focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus',
          isOver ? 'border-accent bg-accent-soft' : 'border-line-strong',
        )}
      >
        <FileUp className="size-9 text-ink-soft" strokeWidth={1.4} aria-hidden />
        <label htmlFor={id} className="link before:absolute before:inset-0 before:cursor-pointer">
          {CHOOSE_CSV}
        </label>
        <p className="text-s text-ink-soft">{OR_DROP_CSV}</p>
        <input
          id={id}
          type="file"
          accept=".csv,text/csv,text/plain"
          aria-describedby={problem === null ? undefined : `${id}-problem`}
          className="sr-only"
          onChange={(event) => {
            take(event.target.files);
            // Without this line, choosing the same file again after correcting it would cause no change event.
            event.target.value = '';
          }}
        />
      </div>
      {read !== null && <ProgressBar label={READING_FILE} value={read} max={1} />}
      {problem !== null && (
        <p id={`${id}-problem`} role="alert" className="text-s font-semibold text-bad">
          {problem}
        </p>
      )}
    </>
  );
}
