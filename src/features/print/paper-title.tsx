import type { ReactNode } from 'react';
import { longDate } from '../../shared/dates.ts';
import { RehearsalMark } from '../rehearsals/rehearsal-mark.tsx';

interface PaperTitleProps {
  title: string;
  /** The level of the heading: h1 when it is the only heading of the page. */
  heading?: 'h1' | 'h2';
  person?: string;
  distribution: { readonly name: string; readonly date: string; readonly rehearsal?: boolean | undefined };
}

/** The first header row of a table. Browsers repeat it on every printed page, so that each page names the document. */
export function PaperTitle({ title, heading: Heading = 'h1', person, distribution }: PaperTitleProps): ReactNode {
  return (
    <tr className="paper-title">
      <td colSpan={5}>
        <div>
          <Heading className="figure text-xl">{title}</Heading>
          {distribution.rehearsal && <RehearsalMark />}
          {person !== undefined && <span>{person}</span>}
          <span className="paper-what">
            <b className="font-semibold">{distribution.name}</b>
            <span>{longDate(distribution.date)}</span>
          </span>
        </div>
      </td>
    </tr>
  );
}
