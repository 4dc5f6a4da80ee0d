import { useMemo, type ReactNode } from 'react';
import { EmptyState } from '../../client/ui/feedback/empty-state.tsx';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { ProgressBar } from '../../client/ui/feedback/progress-bar.tsx';
import { SkeletonStatCards } from '../../client/ui/feedback/skeleton.tsx';
import { Card } from '../../client/ui/layout/card.tsx';
import { Table } from '../../client/ui/table/table.tsx';
import type { Column } from '../../client/ui/table/table-column.ts';
import { useTable } from '../../client/ui/table/use-table.ts';
import { useRead } from '../../client/api/use-calls.ts';
import { minutesToFinish } from '../../domain/counter/projected-finish.ts';
import { clockTime, clockTimeWithSeconds } from '../../shared/dates.ts';
import type { Distribution } from '../distributions/contract.ts';
import { DistributionHeader } from '../distributions/distribution-header.tsx';
import { DistributionPage } from '../distributions/distribution-page.tsx';
import { BACK_TO_DISTRIBUTION } from '../distributions/texts.ts';
import { useBackToCounter } from '../counter/counter-links.tsx';
import { readProgress, type Progress } from './contract.ts';
import {
  ALL_WEIGHED,
  CONTROL_ROOM,
  FIGURES,
  figuresFromText,
  FINISH,
  FINISHED,
  finishText,
  HEADERS,
  HELPERS_NOUN,
  moreProductsText,
  NO_HELPERS,
  NO_PACE,
  ofOrdersText,
  PER_HELPER,
  PER_STEP,
  PRODUCTS_NOUN,
  STEPS_NOUN,
  UNWEIGHED,
  unweighedUnitsText,
} from './texts.ts';
import { MINUTE } from '../../domain/durations.ts';
import { useRefresh } from './refresh/use-refresh.ts';

/** The number of products that fit on a screen on the wall. */
const MAX_PRODUCTS = 12;

/** The skeleton is as wide as the loaded page, so that the header does not move. */
const WAITING = (
  <div className="wall">
    <SkeletonStatCards />
  </div>
);

/**
 * The screen at /distributor/distribution/{id}/control-room, which shows the progress of the distribution on a wall display (contract §14).
 */
export function ControlRoomPage(): ReactNode {
  return (
    <DistributionPage title={CONTROL_ROOM} waiting={WAITING}>
      {(distribution) => <ControlRoom distribution={distribution} />}
    </DistributionPage>
  );
}

function ControlRoom({ distribution }: { distribution: Distribution }): ReactNode {
  const { id } = distribution;
  const read = useRead(readProgress, { id });
  const { data } = read;
  const isOld = useRefresh(read);
  const back = useBackToCounter(id, { href: `/distributor/distribution/${id}`, label: BACK_TO_DISTRIBUTION });
  return (
    <>
      <DistributionHeader distribution={distribution} title={CONTROL_ROOM} back={back} />
      {data && isOld && <OldFigures from={data.now} />}
      {data ? <Loaded progress={data} /> : <Pending read={read} waiting={WAITING} />}
    </>
  );
}

function OldFigures({ from }: { from: string }): ReactNode {
  return (
    <p role="status" className="wall mb-5 rounded-card border border-wait-fill bg-wait-soft p-4 text-m font-semibold">
      {figuresFromText(clockTimeWithSeconds(from))}
    </p>
  );
}

function Loaded({ progress }: { progress: Progress }): ReactNode {
  const { orders, units, weighedUnits } = progress;
  const unweighed = useMemo(() => progress.unweighed.slice(0, MAX_PRODUCTS), [progress]);
  const more = progress.unweighedProducts - unweighed.length;
  const steps = useMemo(() => stepsWithWork(progress).toReversed(), [progress]);
  const finish = finishOf(progress);
  const weighed = unweighedUnitsText(weighedUnits, units);
  return (
    <div className="wall grid gap-5">
      <div className="grid gap-4 md:grid-cols-4">
        {(['weighed', 'paid', 'pickedUp'] as const).map((kind) => (
          <Figure
            key={kind}
            figure={String(progress[kind])}
            text={`${FIGURES[kind]} ${ofOrdersText(orders)}`}
            value={progress[kind]}
            max={orders}
          />
        ))}
        <Figure figure={finish ?? '–'} text={finish === null ? NO_PACE : FINISH} value={weighedUnits} max={units} note={weighed} />
      </div>
      <div className="grid items-start gap-5 lg:grid-cols-2 2xl:grid-cols-3">
        <Listed
          title={UNWEIGHED}
          noun={PRODUCTS_NOUN}
          rows={unweighed}
          rowKey={(row) => row.productId}
          columns={UNWEIGHED_COLUMNS}
          empty={ALL_WEIGHED}
          more={more > 0 ? moreProductsText(more) : undefined}
        />
        <div className="grid gap-5 2xl:contents">
          <Listed
            title={PER_HELPER}
            noun={HELPERS_NOUN}
            rows={progress.helpers}
            rowKey={(row) => row.by}
            columns={HELPER_COLUMNS}
            empty={NO_HELPERS}
          />
          <Listed
            title={PER_STEP}
            noun={STEPS_NOUN}
            rows={steps}
            rowKey={(row) => row.startsAt}
            columns={STEP_COLUMNS}
            empty={NO_HELPERS}
          />
        </div>
      </div>
    </div>
  );
}

/** Returns the periods of ten minutes, beginning with the first one in which something was recorded. */
function stepsWithWork({ steps }: Progress): Progress['steps'] {
  const first = steps.findIndex(({ weighed, paid, pickedUp }) => weighed + paid + pickedUp > 0);
  return first === -1 ? [] : steps.slice(first);
}

/**
 * Returns the text that says when all orders will be picked up. Returns null if nothing was picked up recently, because the pace is then
 * unknown.
 */
function finishOf({ orders, pickedUp, steps, now }: Progress): string | null {
  const left = orders - pickedUp;
  if (orders > 0 && left === 0) return FINISHED;
  const running = steps.at(-1)?.startsAt ?? now;
  const runningFor = (Date.parse(now) - Date.parse(running)) / MINUTE;
  const minutes = minutesToFinish(left, { done: steps.map((step) => step.pickedUp), runningFor });
  return minutes === null || orders === 0 ? null : finishText(clockTime(new Date(Date.parse(now) + minutes * MINUTE).toISOString()));
}

interface FigureProps {
  figure: string;
  text: string;
  value: number;
  max: number;
  note?: string;
}

function Figure({ figure, text, value, max, note }: FigureProps): ReactNode {
  const isShort = figure.length < 6;
  return (
    <Card>
      <p className={isShort ? 'figure num text-[3.5rem] leading-none lg:text-[5rem]' : 'figure text-xl leading-tight lg:text-[2rem]'}>
        {figure}
      </p>
      <p className="mt-1 mb-3 text-m text-ink-soft">{text}</p>
      <ProgressBar label={text} value={value} max={max} tone={value < max ? 'wait' : 'good'} className="h-3" />
      {note !== undefined && <p className="mt-2 text-s text-ink-soft">{note}</p>}
    </Card>
  );
}

const count = <Row,>(id: string, header: string, value: (row: Row) => number): Column<Row> => ({
  id,
  header,
  value,
  align: 'end',
  isSortable: false,
  card: 'figure',
});
type Work = Progress['steps'][number];
const workColumns = <Row extends Pick<Work, 'weighed' | 'paid' | 'pickedUp'>>(): Column<Row>[] => [
  count('weighed', HEADERS.weighed, (row) => row.weighed),
  count('paid', HEADERS.paid, (row) => row.paid),
  count('pickedUp', HEADERS.pickedUp, (row) => row.pickedUp),
];
const HELPER_COLUMNS: readonly Column<Progress['helpers'][number]>[] = [
  { id: 'by', header: HEADERS.helper, value: (row) => row.by, isSortable: false, card: 'title' },
  ...workColumns<Progress['helpers'][number]>(),
];
const STEP_COLUMNS: readonly Column<Work>[] = [
  {
    id: 'from',
    header: HEADERS.step,
    value: (row) => row.startsAt,
    text: (row) => clockTime(row.startsAt),
    isSortable: false,
    card: 'title',
  },
  ...workColumns<Work>(),
];
const UNWEIGHED_COLUMNS: readonly Column<Progress['unweighed'][number]>[] = [
  { id: 'code', header: HEADERS.code, value: (row) => row.productCode, align: 'end', isSortable: false, card: 'figure' },
  { id: 'product', header: HEADERS.product, value: (row) => row.name, isSortable: false, card: 'title' },
  count('units', HEADERS.units, (row) => row.units),
];

interface ListedProps<Row> {
  title: string;
  noun: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  columns: readonly Column<Row>[];
  empty: string;
  /** A sentence that says how many more rows exist than the table shows. */
  more?: string | undefined;
}

function Listed<Row>({ title, noun, rows, rowKey, columns, empty, more }: ListedProps<Row>): ReactNode {
  const table = useTable({ columns, rows, rowKey });
  return (
    <Card title={title} isFlush>
      <Table table={table} label={title} noun={noun} empty={<EmptyState picture="list" text={empty} />} isWhole />
      {more !== undefined && <p className="px-4 py-3 text-s text-ink-soft md:px-5">{more}</p>}
    </Card>
  );
}
