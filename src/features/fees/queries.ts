import type { Db } from '../../server/database/db.ts';
import { notFound } from '../../server/http/errors.ts';
import type { NewRow, Row } from '../../server/database/schema.ts';
import type { DistributionKey } from '../distributions/queries.ts';

type FeeTerms = Pick<Row<'fees'>, 'name' | 'type' | 'amount' | 'sort_order'>;

/** Returns the fees in the sequence in which they are charged: by sort_order, then by id (contract §7). */
export async function listFeesOf(db: Db, distribution: DistributionKey): Promise<Row<'fees'>[]> {
  return await db
    .selectFrom('fees')
    .selectAll()
    .where('distributorId', '=', distribution.distributorId)
    .where('distributionId', '=', distribution.id)
    .orderBy('sort_order')
    .orderBy('id')
    .execute();
}

export async function saveNewFee(
  db: Db,
  distribution: DistributionKey,
  fee: Omit<NewRow<'fees'>, 'distributorId' | 'distributionId'>,
): Promise<Row<'fees'>> {
  const values = { ...fee, distributorId: distribution.distributorId, distributionId: distribution.id };
  return await db.insertInto('fees').values(values).returningAll().executeTakeFirstOrThrow();
}

export async function feeOf(db: Db, distribution: DistributionKey, feeId: number): Promise<Row<'fees'>> {
  const fee = (await listFeesOf(db, distribution)).find(({ id }) => id === feeId);
  if (!fee) throw notFound('Fee');
  return fee;
}

export const saveFee = (db: Db, feeId: number, fee: FeeTerms): Promise<Row<'fees'>> =>
  db.updateTable('fees').set(fee).where('id', '=', feeId).returningAll().executeTakeFirstOrThrow();

export async function deleteFeeOf(db: Db, distribution: DistributionKey, feeId: number): Promise<Row<'fees'>> {
  return await db
    .deleteFrom('fees')
    .where('distributionId', '=', distribution.id)
    .where('id', '=', feeId)
    .returningAll()
    .executeTakeFirstOrThrow(() => notFound('Fee'));
}
