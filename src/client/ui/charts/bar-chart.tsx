import { scaleBand, scaleLinear } from '@visx/scale';
import { Bar, BarStackHorizontal } from '@visx/shape';
import clsx from 'clsx';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { isRtl } from '../../is-rtl.ts';

type ChartTone = 'accent' | 'good' | 'wait';

/**
 * A kind of segment that every bar has, such as the paid part, and its style. Segments with estimates are hatched, so that the reader can
 * recognize them on black-and-white paper.
 */
export interface ChartSegment {
  label: string;
  tone: ChartTone;
  isHatched?: boolean;
}

export interface ChartBar {
  label: string;
  text: string;
  /** One value of at least 0 for each segment in `parts`. */
  values: readonly number[];
}

// The height in pixels of one row: a line of text and the bar below it.
const ROW = 46;
const BAR = { top: 24, height: 12 };
const MAX_LABEL_LENGTH = 30;

const TONES: Record<ChartTone, string> = { accent: 'text-accent', good: 'text-good', wait: 'text-wait-fill print:text-wait' };

/** Renders horizontal bars, the longest of which is as wide as the container. A table beside the chart contains the same data. */
export function BarChart({ title, parts, bars }: { title: string; parts: readonly ChartSegment[]; bars: readonly ChartBar[] }): ReactNode {
  const id = useId();
  const rows = bars.map((bar, index) => ({ ...bar, key: String(index) }));
  const height = ROW * rows.length;
  const largest = Math.max(1, ...bars.map((bar) => bar.values.reduce((sum, value) => sum + value, 0)));
  const xScale = scaleLinear<number>({ domain: [0, largest], range: [0, 100] });
  const yScale = scaleBand<string>({ domain: rows.map((row) => row.key), range: [0, height] });
  const used = parts.map((part, index) => ({ ...part, index })).filter(({ index }) => bars.some((bar) => (bar.values[index] ?? 0) > 0));
  const summary = `${title}: ${bars.map((bar) => `${bar.label} ${bar.text}`).join('; ')}`;
  const fillOf = (index: number): string => (parts[index]?.isHatched ? `url(#${id}-${index})` : 'currentColor');
  return (
    <figure className="print-keep min-w-0">
      <figcaption className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-s">
        <span className="font-semibold">{title}</span>
        {parts.length > 1 && <Legend parts={used} fillOf={fillOf} />}
      </figcaption>
      <svg role="img" aria-label={summary} width="100%" height={height} className="block text-s">
        <defs>{parts.map((part, index) => part.isHatched && <Hatch key={part.label} id={`${id}-${index}`} tone={part.tone} />)}</defs>
        {rows.map((row) => (
          <g key={row.key} aria-hidden>
            <text x={isRtl() ? '100%' : 0} y={(yScale(row.key) ?? 0) + 17} className="fill-ink">
              {shortened(row.label)}
            </text>
            <text x={isRtl() ? 0 : '100%'} y={(yScale(row.key) ?? 0) + 17} textAnchor="end" className="num fill-ink-soft">
              {row.text}
            </text>
          </g>
        ))}
        <BarStackHorizontal
          data={rows}
          keys={used.map(({ index }) => index)}
          value={(row, index) => row.values[index] ?? 0}
          y={(row) => row.key}
          xScale={xScale}
          yScale={yScale}
          color={fillOf}
        >
          {(stacks) =>
            stacks.flatMap(({ key, bars: drawn }) =>
              drawn
                .filter((bar) => bar.width > 0)
                .map((bar) => (
                  <Bar
                    key={`${key}-${bar.index}`}
                    x={`${isRtl() ? 100 - bar.x - bar.width : bar.x}%`}
                    y={bar.y + BAR.top}
                    width={`${bar.width}%`}
                    height={BAR.height}
                    rx={2}
                    fill={bar.color}
                    className={TONES[parts[key]?.tone ?? 'accent']}
                    stroke="currentColor"
                    strokeWidth={parts[key]?.isHatched ? 1 : 0}
                  />
                )),
            )
          }
        </BarStackHorizontal>
      </svg>
    </figure>
  );
}

function Hatch({ id, tone }: { id: string; tone: ChartTone }): ReactNode {
  return (
    <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)" className={TONES[tone]}>
      <rect width={2.5} height={6} fill="currentColor" />
    </pattern>
  );
}

function Legend({ parts, fillOf }: { parts: readonly (ChartSegment & { index: number })[]; fillOf: (index: number) => string }): ReactNode {
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-soft">
      {parts.map(({ label, tone, index }) => (
        <span key={label} className="inline-flex items-center gap-1.5">
          <svg width={12} height={12} aria-hidden className={clsx('shrink-0', TONES[tone])}>
            <rect x={0.5} y={0.5} width={11} height={11} rx={2} fill={fillOf(index)} stroke="currentColor" />
          </svg>
          {label}
        </span>
      ))}
    </span>
  );
}

const shortened = (label: string): string =>
  label.length > MAX_LABEL_LENGTH ? `${label.slice(0, MAX_LABEL_LENGTH - 1).trimEnd()}…` : label;
