import { withDetail } from '../../domain/product-names.ts';
import { countLowered, sharesOf, sharingProblem } from '../../domain/ordering/short-delivery.ts';
import { transaction, type Db } from '../../server/database/db.ts';
import { conflict, throwIfRefused } from '../../server/errors.ts';
import { longInBatches } from '../../server/queues/event-loop.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { on, type Route, type RouteContext } from '../../server/http/pipeline/route.ts';
import { distributionFor, lockDistribution, type DistributionKey } from '../distributions/queries.ts';
import { readNameDetails } from '../product-names/queries.ts';
import { productOf } from '../products/queries.ts';
import { countEntries } from '../waiting/queries.ts';
import { MAX_SHARES_APPLIED, shareOut } from './contract.ts';
import { enqueueShortDeliveries, limitToUnits, listOrderedLines, quantitiesHashOf, saveShares, withdraw } from './queries.ts';
import { CHANGED_SINCE } from './texts.ts';

type ShareContext = RouteContext<typeof shareOut>;

/** Computes how many of the delivered units each order gets. Throws if they cannot be shared out. */
async function computeShares(
  db: Db,
  distribution: DistributionKey,
  { params: { productId }, body }: Pick<ShareContext, 'params' | 'body'>,
) {
  const { units, rule, ...previewed } = body;
  const product = await productOf(db, distribution, productId);
  const lines = await listOrderedLines(db, product);
  const quantities = lines.map((line) => line.ordered);
  const ordered = quantities.reduce((sum, quantity) => sum + quantity, 0);
  const gets = sharesOf(quantities, units, rule);
  const shares = lines.map((line, index) => ({ ...line, gets: gets[index] ?? 0 }));
  const quantitiesHash = await quantitiesHashOf(shares);
  const isChanged = (previewed.ordered ?? ordered) !== ordered || (previewed.quantitiesHash ?? quantitiesHash) !== quantitiesHash;
  if (isChanged) throw conflict(CHANGED_SINCE);
  throwIfRefused(sharingProblem(quantities, units), 409);
  return { product, ordered, quantitiesHash, lowered: countLowered(shares), shares };
}

async function previewShares({ db, viewer, signal, params, body }: ShareContext) {
  const { product: _product, ...computed } = await runInQueue({ distributorId: viewer.tenantId, signal }, async () =>
    computeShares(db, await distributionFor(db, viewer, params.id), { params, body }),
  );
  return { ...computed, units: body.units, applied: false, shares: longInBatches(computed.shares) };
}

const applyShares = ({ db, viewer, now, params, body, countRows }: ShareContext) =>
  transaction(db, async (db) => {
    const { units, notify } = body;
    const distribution = await lockDistribution(db, viewer, params.id);
    const { product, ...computed } = await computeShares(db, distribution, { params, body });
    const { shares } = computed;
    const lowered = shares.filter(({ ordered, gets }) => gets < ordered);
    countRows({ changed: lowered.length + (await countEntries(db, distribution, [product.id])) });
    await (units === 0 ? withdraw(db, product) : limitToUnits(db, product, units));
    await saveShares(db, viewer, product, lowered);
    if (notify) {
      const details = await readNameDetails(db, distribution);
      await enqueueShortDeliveries(db, viewer, { distribution, product: withDetail(product.name, details.get(product.id)), now }, shares);
    }
    return { ...computed, units, applied: true, shares: shares.length > MAX_SHARES_APPLIED ? [] : shares };
  });

export const shortDeliveryRoutes: Route[] = [
  on(shareOut, (context) => (context.body.preview ? previewShares(context) : applyShares(context)), {
    isPreview: ({ body }) => body.preview,
    keepsListsInMemory: true,
  }),
];
