// The actuals report unit by unit, and as a file (spec §3, §9: distribution-{id}-actuals-report).
import { isUnusual } from '../../domain/actuals.ts';
import type { ReplyOf } from '../../shared/endpoint.ts';
import type { CsvColumn } from '../../shared/csv-write.ts';
import type { OrderedLine, readActualsReport, RecordedUnit } from './contract.ts';
import { NOT_WEIGHED, UNUSUAL, WEIGHED } from './texts.ts';

/** One ordered unit; `index` counts from 1. */
export interface UnitLine extends OrderedLine {
  readonly index: number;
  readonly recorded: RecordedUnit | null;
}

/** The weight of a unit is found by its position within the line. */
export function unitLines({ reportData, actualsData }: ReplyOf<typeof readActualsReport>): UnitLine[] {
  const byLine = Map.groupBy(actualsData, (actual) => actual.orderProductId);
  return reportData.flatMap((line) => {
    const recorded = new Map(byLine.get(line.orderProductId)?.map((actual) => [actual.sortOrder, actual]));
    return Array.from({ length: line.quantity }, (_, index) => ({ ...line, index: index + 1, recorded: recorded.get(index) ?? null }));
  });
}

export function stateOf({ recorded, unit_qty }: UnitLine): typeof NOT_WEIGHED | typeof UNUSUAL | typeof WEIGHED {
  if (!recorded) return NOT_WEIGHED;
  return isUnusual(recorded.actualQuantity, unit_qty) ? UNUSUAL : WEIGHED;
}

/** Unit and units in columns of their own: a spreadsheet would take 2/3 for a date. */
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
  { header: 'State', value: stateOf },
  { header: 'Recorded', value: (row) => row.recorded?.updatedAt ?? null },
];
