import { run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import { assertFound } from '../../server/errors.ts';
import type { Row } from '../../server/database/schema.ts';
import type { DistributionKey } from '../distributions/queries.ts';

type FeeTerms = Pick<Row<'fees'>, 'name' | 'type' | 'amount' | 'sort_order'>;

const LIST = 'SELECT * FROM fees WHERE "distributorId" = $1 AND "distributionId" = $2 ORDER BY sort_order, id';

/** Returns the fees in the sequence in which they are charged: by sort_order, then by id (contract §7). */
export const listFeesOf = (db: Db, { distributorId, id }: DistributionKey): Promise<Row<'fees'>[]> =>
  run<Row<'fees'>>(db, LIST, [distributorId, id]);

const ADD = `INSERT INTO fees ("distributorId", "distributionId", name, type, amount, sort_order) VALUES ($1, $2, $3, $4, $5, $6) RETURNING *`;

export const saveNewFee = (db: Db, { distributorId, id }: DistributionKey, fee: FeeTerms): Promise<Row<'fees'>> =>
  runSingle<Row<'fees'>>(db, ADD, [distributorId, id, fee.name, fee.type, fee.amount, fee.sort_order]);

export async function feeOf(db: Db, distribution: DistributionKey, feeId: number): Promise<Row<'fees'>> {
  const fees = await listFeesOf(db, distribution);
  return assertFound(
    fees.find(({ id }) => id === feeId),
    'Fee',
  );
}

const CHANGE = 'UPDATE fees SET name = $2, type = $3, amount = $4, sort_order = $5 WHERE id = $1 RETURNING *';

export const saveFee = (db: Db, feeId: number, fee: FeeTerms): Promise<Row<'fees'>> =>
  runSingle<Row<'fees'>>(db, CHANGE, [feeId, fee.name, fee.type, fee.amount, fee.sort_order]);

export async function deleteFeeOf(db: Db, distribution: DistributionKey, feeId: number): Promise<Row<'fees'>> {
  const text = 'DELETE FROM fees WHERE "distributionId" = $1 AND id = $2 RETURNING *';
  return assertFound(await runOne<Row<'fees'>>(db, text, [distribution.id, feeId]), 'Fee');
}
