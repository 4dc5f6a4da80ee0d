import { run, type Db } from '../../server/db.ts';
import type { Viewer } from '../../server/session.ts';
import type { CatalogueChange, FeeTerms, ProductTerms } from './contract.ts';

interface Place {
  readonly distributorId: number;
  readonly id: number;
}

const RECORD = `INSERT INTO catalogue_audit ("distributorId", "distributionId", "productId", "feeId", name, before, after, "updatedBy")
  SELECT $1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8`;
const RECORD_PRODUCT = `${RECORD} WHERE EXISTS (SELECT FROM order_products
  WHERE "distributorId" = $1 AND "distributionId" = $2 AND "productId" = $3 AND quantity > 0)`;
const RECORD_FEE = `${RECORD} WHERE EXISTS (SELECT FROM orders WHERE "distributorId" = $1 AND "distributionId" = $2)`;

const productTerms = ({ unit_price, unit_qty, unit_qty_is_estimate }: ProductTerms): string =>
  JSON.stringify({ unit_price, unit_qty, unit_qty_is_estimate });
const feeTerms = ({ name, type, amount, sort_order }: FeeTerms): string => JSON.stringify({ name, type, amount, sort_order });

interface ProductChange {
  readonly before: ProductTerms & { readonly id: number };
  readonly after: ProductTerms & { readonly name: string };
  readonly by: Viewer;
}

/** Only where the product costs something else now, and is ordered. */
export async function recordProductChange(db: Db, place: Place, { before, after, by }: ProductChange): Promise<void> {
  const terms = [productTerms(before), productTerms(after)];
  if (terms[0] === terms[1]) return;
  await run(db, RECORD_PRODUCT, [place.distributorId, place.id, before.id, null, after.name, ...terms, by.userId]);
}

/** Only where somebody has an order. `fee` is new, or deleted. */
export async function recordFeeChange(
  db: Db,
  place: Place,
  { fee, isNew, by }: { fee: FeeTerms & { readonly id: number }; isNew: boolean; by: Viewer },
): Promise<void> {
  const terms = isNew ? [null, feeTerms(fee)] : [feeTerms(fee), null];
  await run(db, RECORD_FEE, [place.distributorId, place.id, null, fee.id, fee.name, ...terms, by.userId]);
}

/** Newest first. */
export async function listChangesOf(db: Db, { distributorId, id }: Place): Promise<CatalogueChange[]> {
  const text = `SELECT a.id, a."productId", a."feeId", a.name, a.before, a.after, a."updatedAt", u.email
    FROM catalogue_audit a JOIN users u ON u.id = a."updatedBy"
    WHERE a."distributorId" = $1 AND a."distributionId" = $2 ORDER BY a.id DESC`;
  return await run<CatalogueChange>(db, text, [distributorId, id]);
}
