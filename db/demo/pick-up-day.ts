// Makes the demo show the first hours of a busy pick-up day: inserts the tills, and sets who weighed, took payments and handed over orders
// at which times.
import { cents, minus, type Cents } from '../../src/domain/money.ts';
import { expectedIn, receivedBy } from '../../src/domain/counter/till.ts';
import type { PaymentMethod } from '../../src/domain/payment.ts';
import { run, type Db } from '../../src/server/database/db.ts';

const FLOAT = cents(10_000);
const MISSING = cents(50);

const ofPlace = (row: string): string => `${row}."distributorId" = $1 AND ${row}."distributionId" = $2`;
// Sets the times of weighing backward from now, four minutes apart from one order to the next. Paid and unpaid orders are numbered
// separately, so that both cover the same period.
const WEIGHTS = `WITH families AS (SELECT "orderId", row_number() OVER (PARTITION BY EXISTS (SELECT FROM payments p WHERE p."orderId" = l."orderId")
      ORDER BY "orderId" DESC) AS rank
    FROM order_products l WHERE ${ofPlace('l')} AND EXISTS (SELECT FROM actual_quantities w WHERE w."orderProductId" = l.id) GROUP BY 1)
  UPDATE actual_quantities w SET "updatedBy" = ($3::int[])[1 + f.rank % cardinality($3::int[])], "updatedAt" = now() - 4 * f.rank * interval '1 minute'
  FROM order_products l JOIN families f USING ("orderId") WHERE w."orderProductId" = l.id AND ${ofPlace('l')}`;
const TILLS = `INSERT INTO tills ("distributorId", "distributionId", "userId", float, "openedAt") SELECT $1, $2, u, $4, now() - interval '3 hours'
  FROM unnest($3::int[]) u RETURNING id`;
const PAYMENTS = `UPDATE payments p SET "createdAt" = w.at + interval '1 minute', "updatedAt" = w.at + interval '1 minute',
    "createdBy" = t."userId", "updatedBy" = t."userId", "tillId" = t.id
  FROM (SELECT l."orderId", max(w."updatedAt") AS at FROM order_products l JOIN actual_quantities w ON w."orderProductId" = l.id WHERE ${ofPlace('l')} GROUP BY 1) w
    JOIN tills t ON t.id = ($3::int[])[1 + w."orderId" % 2]
  WHERE p."orderId" = w."orderId" AND ${ofPlace('p')}`;
const PICK_UPS = `UPDATE orders o SET "pickedUpAt" = p."createdAt" + interval '1 minute', "pickedUpBy" = p."createdBy"
  FROM payments p WHERE p."orderId" = o.id AND ${ofPlace('p')}`;
const RECEIVED = 'SELECT "paymentMethod", amount, "feeAmount" FROM payments WHERE "tillId" = $1';
const CLOSE = `UPDATE tills SET "closedAt" = now(), "closedBy" = "userId", expected = $2, counted = $3 WHERE id = $1`;

interface Received {
  readonly paymentMethod: PaymentMethod;
  readonly amount: Cents;
  readonly feeAmount: Cents;
}

/**
 * Inserts the tills and sets who did the work and when. Two agents weigh; the distributor and the second agent take the payments. The
 * second agent has closed the till, in which half a dollar is missing.
 */
export async function insertPickUpDay(db: Db, place: { distributorId: number; id: number }, agentIds: readonly number[]): Promise<void> {
  const of = [place.distributorId, place.id];
  const cashier = agentIds[1] ?? place.distributorId;
  await run(db, 'UPDATE users SET "mayTakePayments" = true WHERE id = $1', [cashier]);
  await run(db, WEIGHTS, [...of, agentIds]);
  const tills = await run<{ id: number }>(db, TILLS, [...of, [place.distributorId, cashier], FLOAT]);
  const ids = tills.map(({ id }) => id);
  await run(db, PAYMENTS, [...of, ids]);
  await run(db, PICK_UPS, of);
  const expected = expectedIn(FLOAT, receivedBy(await run<Received>(db, RECEIVED, [ids[1]])));
  const counted = { ...expected, cash: minus(expected.cash, MISSING) };
  await run(db, CLOSE, [ids[1], JSON.stringify(expected), JSON.stringify(counted)]);
}
