// Formats the figures of all rounds as a table.
import { median, short } from '../figures.ts';

export interface Figure {
  readonly figure: string;
  readonly unit: 'ms' | 'points' | '';
  /** The goal: the maximum allowed value of the figure or, for a Lighthouse score, the minimum. */
  readonly limit: number;
  readonly ours: number;
  /** The figure measured on the bare page; null if it cannot be measured there. */
  readonly bare: number | null;
}

const goalOf = ({ unit, limit }: Figure): string => `${unit === 'points' ? '>=' : '<='} ${limit}${unit === 'ms' ? ' ms' : ''}`;

function rowOf(rounds: readonly Figure[]): string[] {
  const [first] = rounds;
  if (!first) return [];
  const isPoints = first.unit === 'points';
  const ours = rounds.map((round) => round.ours);
  const middle = median(ours);
  const bare = first.bare === null ? null : median(rounds.map((round) => round.bare ?? Number.NaN));
  const holds = isPoints ? middle >= first.limit : middle <= first.limit;
  const best = isPoints ? Math.max(...ours) : Math.min(...ours);
  return [
    first.figure,
    goalOf(first),
    short(middle),
    short(best),
    bare === null ? '' : short(bare),
    bare === null ? '' : (middle / bare).toFixed(1),
    holds ? 'yes' : 'NO',
  ];
}

/** Returns a table with one row per figure, which contains the median and the best value of the rounds. */
export function textOf(figures: readonly Figure[]): string {
  const lines = [['figure', 'goal', 'median', 'best', 'bare page', 'ratio', 'holds']];
  lines.push(['---', '---', '---', '---', '---', '---', '---']);
  for (const rounds of Map.groupBy(figures, ({ figure }) => figure).values()) lines.push(rowOf(rounds));
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
