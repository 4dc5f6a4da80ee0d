import { withDetail } from '../../domain/product-names.ts';
import { sharesOf, sharingProblem } from '../../domain/ordering/short-delivery.ts';
import { conflict, throwIfRefused } from '../../server/http/errors.ts';
import { onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { distributionFor, lockDistribution } from '../distributions/queries.ts';
import { productOf, readNameDetails } from '../products/queries.ts';
import { shareOut } from './contract.ts';
import { enqueueShortDeliveries, limitToUnits, listOrderedLines, quantitiesHashOf, saveShares, withdraw } from './queries.ts';
import { CHANGED_SINCE } from './texts.ts';

export const shortDeliveryRoutes: Route[] = [
  onTransaction(shareOut, async ({ db, viewer, now, params, body: { units, rule, preview, notify, ...previewed } }) => {
    const distribution = await (preview ? distributionFor : lockDistribution)(db, viewer, params.id);
    const product = await productOf(db, distribution, params.productId);
    const lines = await listOrderedLines(db, product);
    const quantities = lines.map((line) => line.ordered);
    const ordered = quantities.reduce((sum, quantity) => sum + quantity, 0);
    const quantitiesHash = quantitiesHashOf(lines);
    const isChanged = (previewed.ordered ?? ordered) !== ordered || (previewed.quantitiesHash ?? quantitiesHash) !== quantitiesHash;
    if (isChanged) throw conflict(CHANGED_SINCE);
    throwIfRefused(sharingProblem(quantities, units), 409);
    const gets = sharesOf(quantities, units, rule);
    const shares = lines.map((line, place) => ({ ...line, gets: gets[place] ?? 0 }));
    if (preview) return { ordered, units, applied: false, quantitiesHash, shares };

    // After ordering has closed, customers cannot order the missing units again.
    if (distribution.orderingOpen) await (units === 0 ? withdraw(db, product) : limitToUnits(db, product, units));
    await saveShares(db, viewer, product, shares);
    if (notify) {
      const details = await readNameDetails(db, distribution);
      await enqueueShortDeliveries(db, viewer, { distribution, product: withDetail(product.name, details.get(product.id)), now }, shares);
    }
    return { ordered, units, applied: true, quantitiesHash, shares };
  }),
];
