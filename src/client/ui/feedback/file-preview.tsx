// Shows the user what importing a chosen file would change, before anything is saved.
import { ChevronRight } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { causesOf, type Cause, type Problem } from '../../../shared/csv/problems.ts';
import { Button } from '../forms/button.tsx';
import { Badge, type Tone } from './badge.tsx';
import {
  briefText,
  causeText,
  cellsText,
  firstRows,
  ignoredColumns,
  lineText,
  repeatedColumns,
  ROWS,
  showMoreCauses,
  showMoreRows,
} from '../../texts.ts';

const FIRST_ROWS = 8;
const MORE_ROWS = 100;
const FIRST_CAUSES = 6;

export interface RowOutcome {
  tone: Tone;
  word: string;
}

export function OutcomeCounts({ counts }: { counts: readonly (RowOutcome & { count: number })[] }): ReactNode {
  return (
    <dl className="grid grid-cols-2 gap-2.5 md:grid-cols-4">
      {counts.map(({ tone, word, count }) => (
        <div key={word} className="rounded-card border border-line px-3.5 py-2.5">
          <dt>
            <Badge tone={count === 0 ? 'none' : tone}>{word}</Badge>
          </dt>
          <dd className="figure mt-1 text-[1.5rem] leading-tight">{count}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Lists remarks about the whole file. Callers can pass `false` for a remark that does not apply. */
export function FileNotes({ notes }: { notes: readonly (string | false)[] }): ReactNode {
  const shownNotes = notes.filter((note) => note !== false);
  if (shownNotes.length === 0) return null;
  return (
    <ul className="grid gap-1 text-s text-ink-soft">
      {shownNotes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

export const columnNotes = ({ ignored, repeated }: { ignored: readonly string[]; repeated: readonly string[] }): (string | false)[] => [
  ignored.length > 0 && ignoredColumns(ignored),
  repeated.length > 0 && repeatedColumns(repeated),
];

export function ErrorCauses({ problems }: { problems: readonly Problem[] }): ReactNode {
  const [areAllShown, setAreAllShown] = useState(false);
  const causes = useMemo(() => causesOf(problems), [problems]);
  if (causes.length === 0) return null;
  const shown = areAllShown ? causes : causes.slice(0, FIRST_CAUSES);
  return (
    <div className="grid gap-1 rounded-card border border-bad/50 bg-bad-soft px-3.5 py-1.5 text-s text-bad">
      <ul>
        {shown.map((cause) => (
          <li key={cause.reason}>
            <CauseRows cause={cause} />
          </li>
        ))}
      </ul>
      {shown.length < causes.length && (
        <Button size="s" className="mb-1 justify-self-start" onClick={() => setAreAllShown(true)}>
          {showMoreCauses(causes.length - shown.length)}
        </Button>
      )}
    </div>
  );
}

function CauseRows({ cause: { reason, problems } }: { cause: Cause }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const [count, setCount] = useState(MORE_ROWS);
  const lines = problems.map(({ line }) => line);
  const more = problems.length - count;
  return (
    <details className="group/cause" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 dense:min-h-8 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-4 shrink-0 transition-transform group-open/cause:rotate-90 rtl:-scale-x-100 rtl:group-open/cause:-rotate-90"
          aria-hidden
        />
        {causeText(reason, lines)}
      </summary>
      {isOpen && (
        <ul className="grid gap-1 ps-6 pb-2 wrap-anywhere text-ink">
          {problems.slice(0, count).map(({ line, cells }) => (
            <li key={line}>{briefText(lineText(line, cellsText(cells)))}</li>
          ))}
        </ul>
      )}
      {isOpen && more > 0 && (
        <Button size="s" className="mb-2 ms-6" onClick={() => setCount(count + MORE_ROWS)}>
          {showMoreRows(Math.min(more, MORE_ROWS))}
        </Button>
      )}
    </details>
  );
}

export interface PreviewedRow {
  line: number;
  fate: RowOutcome;
  title: string;
  /** The details of the row. They are shown completely, so the caller shortens long values. */
  text: string;
}

export function FirstRows<Row>({ rows, preview }: { rows: readonly Row[]; preview: (row: Row) => PreviewedRow }): ReactNode {
  const [count, setCount] = useState(FIRST_ROWS);
  if (rows.length === 0) return null;
  const more = rows.length - count;
  return (
    <div>
      <h3 className="mb-1.5 text-s font-semibold">{more > 0 ? firstRows(count) : ROWS}</h3>
      <ul className="overflow-hidden rounded-card border border-line">
        {rows
          .slice(0, count)
          .map(preview)
          .map(({ line, fate, title, text }) => (
            <li key={line} className="grid gap-x-4 gap-y-1 border-b border-line px-3.5 py-2 text-s last:border-b-0 md:grid-cols-[7rem_1fr]">
              <span>
                <Badge tone={fate.tone}>{fate.word}</Badge>
              </span>
              <div className="min-w-0">
                <p className="font-semibold">{briefText(title)}</p>
                <p className="text-ink-soft">{lineText(line, text)}</p>
              </div>
            </li>
          ))}
      </ul>
      {more > 0 && (
        <Button size="s" className="mt-2" onClick={() => setCount(count + MORE_ROWS)}>
          {showMoreRows(Math.min(more, MORE_ROWS))}
        </Button>
      )}
    </div>
  );
}
