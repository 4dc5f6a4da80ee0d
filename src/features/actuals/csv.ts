// Converts the actuals report to one row per unit, and defines its CSV file distribution-{id}-actuals-report (spec §3, §9).
import { listedUnits } from '../../domain/weights/actuals.ts';
import { isUnusual } from '../../domain/weights/plausibility.ts';
import type { ReplyOf } from '../../shared/endpoint.ts';
import { counted } from '../../shared/counted.ts';
import type { CsvColumn } from '../../shared/csv/write-csv.ts';
import { fileTime } from '../../shared/dates.ts';
import { sortedByName } from '../../shared/person-name.ts';
import { byText } from '../auth/texts.ts';
import type { OrderedLine, readActualsReport, RecordedUnit } from './contract.ts';
import { manyText, STATE_LABELS } from './texts.ts';

/** A row of the report. It stands for one ordered unit or, in an order line with very many units, for all unweighed units of the line. */
export interface UnitLine extends OrderedLine {
  /** The number of the unit within its order line, counted from 1. Null in a row for many units. */
  readonly index: number | null;
  readonly recorded: RecordedUnit | null;
  readonly unweighed: number;
}

/** Returns the rows of the report, sorted by the customers' names. The lines of one order stay in the sequence in which they were read. */
export function unitLines({ reportData, actualsData }: ReplyOf<typeof readActualsReport>): UnitLine[] {
  const byLine = Map.groupBy(actualsData, (actual) => actual.orderProductId);
  const byOrder = Map.groupBy(reportData, (line) => line.orderId);
  const heads = [...byOrder.values()].flatMap(([head]) => head ?? []);
  const lines = sortedByName(heads, (head) => head).flatMap((head) => byOrder.get(head.orderId) ?? []);
  return lines.flatMap((line) => {
    const { units, folded } = listedUnits({ quantity: line.quantity, actuals: byLine.get(line.orderProductId) ?? [] });
    const rows = units.map(({ index, actual }): UnitLine => ({ ...line, index: index + 1, recorded: actual, unweighed: actual ? 0 : 1 }));
    return folded === 0 ? rows : [...rows, { ...line, index: null, recorded: null, unweighed: folded }];
  });
}

export const placeText = ({ index, quantity, unweighed }: UnitLine): string =>
  index === null ? counted(unweighed, 'unit') : `${index}/${quantity}`;

/** Returns the e-mail address and role of the user who recorded the weight, or '' if the unit is not weighed. */
export const recorderText = ({ recorded }: UnitLine): string => (recorded ? byText(recorded.by, recorded.byRole) : '');

export function stateOf({ recorded, unit_qty }: UnitLine): keyof typeof STATE_LABELS {
  if (!recorded) return 'notWeighed';
  if (recorded.actualQuantity === 0) return 'notDelivered';
  return isUnusual(recorded.actualQuantity, unit_qty) ? 'unusual' : 'weighed';
}

/** The unit's number and the number of units are in separate columns, because a spreadsheet would convert 2/3 to a date. */
export const ACTUALS_CSV: readonly CsvColumn<UnitLine>[] = [
  { header: 'Email', value: (row) => row.email },
  { header: 'First name', value: (row) => row.firstName },
  { header: 'Last name', value: (row) => row.lastName },
  { header: 'Order', value: (row) => row.orderId },
  { header: 'Code', value: (row) => row.productCode },
  { header: 'Product', value: (row) => row.productName },
  { header: 'Unit', value: (row) => row.index },
  { header: 'Units', value: (row) => row.quantity },
  { header: 'Estimate', value: (row) => row.unit_qty },
  { header: 'Weight', value: (row) => row.recorded?.actualQuantity ?? null },
  { header: 'Unit of measure', value: (row) => row.uom },
  { header: 'State', value: (row) => (row.index === null ? manyText(row.unweighed) : STATE_LABELS[stateOf(row)]) },
  { header: 'Recorded', value: ({ recorded }) => recorded && fileTime(recorded.updatedAt) },
  { header: 'Recorded by', value: recorderText },
];
