// Compares the entries that the stations have shown as recorded with the database. It also computes every balance a second time, without
// the code of the application: SQL only reads the rows, and exact fractions compute the amounts.
import { add, inSequence, weighed, type ExactFee } from '../../data/exact.ts';
import { run } from '../../../src/server/database/db.ts';
import type { TestDatabase } from '../setup/databases.ts';
import { withDb } from '../setup/orders-and-customers.ts';
import { keyOf, type Entry } from './station.ts';

export interface Tally {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly recorded: number;
}

const WEIGHTS = `SELECT a."orderProductId" || '-' || a."sortOrder" AS unit, round(a."actualQuantity" * 100)::int AS value, a."updatedBy" AS "by"
  FROM actual_quantity_audit a JOIN order_products l ON l.id = a."orderProductId" WHERE l."distributionId" = $1`;
const PAYMENTS = `SELECT "orderId", amount::int AS value, "createdBy" AS "by" FROM payments WHERE "distributionId" = $1`;
const MARKS = `SELECT "orderId", "updatedBy" AS "by" FROM order_audit WHERE "distributionId" = $1`;

const countOf = (entries: readonly Entry[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const key of entries.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

interface Noted {
  readonly userId: number;
  readonly entries: readonly Entry[];
  readonly refused: readonly Entry[];
}

/**
 * Checks that each entry of a station was either recorded once or refused. An order is marked as picked up by the first station, and
 * marking it again changes nothing.
 */
export const tally = (place: TestDatabase, distributionId: number, stations: readonly Noted[]): Promise<Tally> =>
  withDb(place, async (db) => {
    const weights = await run<{ unit: string; value: number; by: number }>(db, WEIGHTS, [distributionId]);
    const payments = await run<{ orderId: number; value: number; by: number }>(db, PAYMENTS, [distributionId]);
    const marks = await run<{ orderId: number; by: number }>(db, MARKS, [distributionId]);
    const [lost, doubled]: [string[], string[]] = [[], []];
    for (const { userId, entries, refused } of stations) {
      const own = ({ by }: { by: number }): boolean => by === userId;
      const recorded = countOf([
        ...weights.filter(own).map((row): Entry => ({ kind: 'weight', ...row })),
        ...payments.filter(own).map((row): Entry => ({ kind: 'payment', ...row })),
      ]);
      const [noted, given] = [countOf(entries.filter(({ kind }) => kind !== 'mark')), countOf(refused)];
      for (const key of new Set([...noted.keys(), ...recorded.keys()])) {
        const missing = (noted.get(key) ?? 0) - (given.get(key) ?? 0) - (recorded.get(key) ?? 0);
        if (missing > 0) lost.push(`${key} of ${userId}`);
        if (missing < 0) doubled.push(`${key} of ${userId}`);
      }
      const refusedMarks = new Set(refused.map(keyOf));
      const isMarked = new Set(marks.map(({ orderId }) => orderId));
      for (const entry of entries) {
        if (entry.kind === 'mark' && !isMarked.has(entry.orderId) && !refusedMarks.has(keyOf(entry)))
          lost.push(`${keyOf(entry)} of ${userId}`);
      }
    }
    const orders = marks.map(({ orderId }) => orderId);
    for (const [index, orderId] of orders.entries()) if (orders.indexOf(orderId) !== index) doubled.push(`mark ${orderId}`);
    return { lost, doubled, recorded: weights.length + payments.length + marks.length };
  });

interface Line {
  readonly orderId: number;
  readonly unit_price: number;
  readonly unit_qty: number;
  readonly isWeighed: boolean;
  readonly quantity: number;
  /** The weights of the units in thousandths. */
  readonly weights: readonly number[];
}

const LINES = `SELECT l."orderId", p.unit_price::int AS unit_price, p.unit_qty, p.unit_qty_is_estimate AS "isWeighed", l.quantity,
    coalesce((SELECT array_agg(round(w."actualQuantity" * 1000)::int) FROM actual_quantities w
      WHERE w."orderProductId" = l.id AND w."sortOrder" < l.quantity), '{}') AS weights
  FROM order_products l JOIN products p ON p.id = l."productId" WHERE l."distributionId" = $1 AND l.quantity > 0`;
const FEES = `SELECT id, type, sort_order, amount FROM fees WHERE "distributionId" = $1`;

function costOf({ unit_price, unit_qty, isWeighed, quantity, weights }: Line): bigint {
  const estimate = BigInt(unit_price) * BigInt(unit_qty);
  if (!isWeighed) return estimate * BigInt(quantity);
  return add(weights.map((weight) => weighed(unit_price, weight))) + estimate * BigInt(quantity - weights.length);
}

/** Returns the exact balance of every order in cents. */
export const exactBalances = (place: TestDatabase, distributionId: number): Promise<Map<number, number>> =>
  withDb(place, async (db) => {
    const lines = Map.groupBy(await run<Line>(db, LINES, [distributionId]), ({ orderId }) => orderId);
    const fees = await run<ExactFee>(db, FEES, [distributionId]);
    const payments = Map.groupBy(await run<{ orderId: number; value: number }>(db, PAYMENTS, [distributionId]), ({ orderId }) => orderId);
    return new Map(
      [...lines].map(([orderId, own]) => {
        const paid = add((payments.get(orderId) ?? []).map(({ value }) => BigInt(value)));
        return [orderId, Number(inSequence(fees, add(own.map(costOf))) - paid)];
      }),
    );
  });
