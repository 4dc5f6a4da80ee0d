import type { ReactNode } from 'react';
import { longDate } from '../../shared/dates.ts';

export interface PaperTitleProps {
  title: string;
  /** h1 where it is the only one of the page. */
  heading?: 'h1' | 'h2';
  /** Whose paper it is. */
  person?: string;
  distribution: { readonly name: string; readonly date: string };
}

/** The first row of a table's head, which browsers repeat on every page: it says which paper the page is of. */
export function PaperTitle({ title, heading: Heading = 'h1', person, distribution }: PaperTitleProps): ReactNode {
  return (
    <tr className="paper-title">
      <td colSpan={5}>
        <Line>
          <Heading className="figure text-xl">{title}</Heading>
          {person !== undefined && <span>{person}</span>}
          <span className="paper-what">
            <b className="font-semibold">{distribution.name}</b>
            <span>{longDate(distribution.date)}</span>
          </span>
        </Line>
      </td>
    </tr>
  );
}

const Line = ({ children }: { children: ReactNode }): ReactNode => <div>{children}</div>;
