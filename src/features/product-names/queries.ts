// Finds the part of the description that distinguishes products with the same name. This part is computed once for each version of a
// catalogue, because the computation takes long if thousands of products have the same name (reliability, "abuse").
import { COMPARED_DESCRIPTION_LENGTH, nameDetailsInSteps, type NamedProduct } from '../../domain/product-names.ts';
import { run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import { runInSlices } from '../../server/queues/event-loop.ts';
import { expensiveQueue } from '../../server/queues/expensive-queue.ts';
import { VersionedCache } from '../../server/web/versioned-cache.ts';
import type { DistributionKey } from '../distributions/queries.ts';

type NameDetails = ReadonlyMap<number, string>;

// Selects the products whose name occurs more than once. The comparison ignores all characters beyond ASCII, because not every database
// converts them to lower case. The result may therefore also contain products with a unique name, which `nameDetailsInSteps` leaves out.
const NAMED = `SELECT id, name, description FROM (
    SELECT id, name, left(description, $3) AS description, count(*) OVER (PARTITION BY lower(regexp_replace(btrim(name), '[^ -~]', '', 'g'))) AS namesakes
    FROM products WHERE "distributorId" = $1 AND "distributionId" = $2) named
  WHERE namesakes > 1 ORDER BY id`;

async function computeNameDetails(db: Db, { distributorId, id }: DistributionKey): Promise<NameDetails> {
  const products = await run<NamedProduct>(db, NAMED, [distributorId, id, COMPARED_DESCRIPTION_LENGTH]);
  return await runInSlices(nameDetailsInSteps(products));
}

/** If the catalogue has more products than this, the computation waits in the queue of expensive reads. */
const MAX_PRODUCTS_WITHOUT_QUEUE = 1000;
const IS_LONG = `SELECT EXISTS (SELECT FROM products WHERE "distributorId" = $1 AND "distributionId" = $2 OFFSET ${MAX_PRODUCTS_WITHOUT_QUEUE}) AS "isLong"`;

async function computeInQueue(db: Db, { distributorId, id }: DistributionKey): Promise<NameDetails> {
  const { isLong } = await runSingle<{ isLong: boolean }>(db, IS_LONG, [distributorId, id]);
  const compute = (): Promise<NameDetails> => computeNameDetails(db, { distributorId, id });
  // The key differs from the key of the lists that the distributor reads. With the same key, mails of other distributors would wait for
  // these lists, because the mail worker waits for the result. The job has no abort signal: several requests may wait for its result, so it
  // must run even if one of their clients disconnects.
  return isLong ? await expensiveQueue(compute, { distributorId, key: `names of ${distributorId}` }) : await compute();
}

/** The approximate number of bytes that the entry of one product occupies in memory. */
const BYTES_OF_DETAIL = 300;
const computed = new VersionedCache<NameDetails>((details) => details.size * BYTES_OF_DETAIL);

const VERSION = 'SELECT "catalogueVersion" AS version FROM distributions WHERE "distributorId" = $1 AND id = $2';

/**
 * Maps product ids to the part of the description that distinguishes products with the same name. A job of the queue of expensive reads
 * must not call this function: the computation would wait in the same queue until that job ends. In a transaction, the computation does not
 * wait in the queue. Its result is then not cached, because the transaction may be rolled back.
 */
export async function readNameDetails(db: Db, { distributorId, id }: DistributionKey): Promise<NameDetails> {
  if (db.isTransaction) return await computeNameDetails(db, { distributorId, id });
  const found = await runOne<{ version: number }>(db, VERSION, [distributorId, id]);
  if (!found) return new Map();
  return await computed.get(db, id, { ...found, make: () => computeInQueue(db, { distributorId, id }) });
}
