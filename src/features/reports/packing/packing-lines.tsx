import { useState, type ReactNode } from 'react';
import { numberText } from '../../../shared/counted.ts';
import type { ReportRow } from '../contract.ts';
import { SHOW_FEWER, showAllText } from '../texts.ts';

// A longer list shows only this number of lines at first, because a product may go to hundreds of customers.
const SHOWN_AT_FIRST = 20;

export interface LinesProps {
  lines: readonly ReportRow[];
  text: (row: ReportRow) => string;
}

export function Lines({ lines, text }: LinesProps): ReactNode {
  return (
    <ul className="max-w-3xl gap-x-6 overflow-x-clip text-start sm:columns-2 print:max-w-none">
      {lines.map((row, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the lines of a list have no id and never move
        <li key={index} className="flex break-inside-avoid items-baseline gap-2 overflow-x-clip">
          <b className="num min-w-8 shrink-0 text-end">{`${numberText(row.quantity)} ×`}</b>
          <span className="min-w-0 wrap-anywhere">{text(row)}</span>
        </li>
      ))}
    </ul>
  );
}

export function FoldedLines({ lines, text }: LinesProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  if (lines.length <= SHOWN_AT_FIRST) return <Lines lines={lines} text={text} />;
  return (
    <>
      <Lines lines={isOpen ? lines : lines.slice(0, SHOWN_AT_FIRST)} text={text} />
      <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)} className="link min-h-11 dense:min-h-8">
        {isOpen ? SHOW_FEWER : showAllText(lines.length)}
      </button>
    </>
  );
}
