import { setLockTimeout } from '../../server/database/db.ts';
import { throwIfRefused } from '../../server/errors.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { on, onTransaction, type Route, type RouteContext } from '../../server/http/pipeline/route.ts';
import { recordRemoval } from '../audit/queries.ts';
import { previewRepricing } from '../catalogue/queries.ts';
import { distributionFor, listSourceFor, lockDistribution } from '../distributions/queries.ts';
import {
  beginCustomerUpload,
  beginProductUpload,
  finishProductUpload,
  readLastCustomerUpload,
  readLastProductUpload,
  readUndoRepricing,
  undoCustomerUpload,
  undoProductUpload,
} from './contract.ts';
import {
  beginCustomers,
  beginProducts,
  checkUndo,
  findLastCustomerUpload,
  findLastProductUpload,
  finishProducts,
  lockCustomerUpload,
  lockProductUpload,
  mayHaveChanged,
  termsBefore,
  undoCustomers,
  undoProducts,
  type UndoCheck,
} from './queries.ts';
import { builtOnText } from './texts.ts';

/** Throws if one of the upload's products was changed or ordered since the upload. */
const throwIfBuiltOn = ({ builtOn }: UndoCheck): void => throwIfRefused(builtOn === null ? null : builtOnText(builtOn), 409);

async function refuseUndo({ db, viewer, params, signal, countRows }: RouteContext<typeof undoProductUpload>): Promise<UndoCheck> {
  const distribution = await distributionFor(db, viewer, params.id);
  return await runInQueue({ ...distribution, signal }, async () => {
    const checked = await checkUndo(db, distribution, params.uploadId);
    countRows({ read: checked.rowsRead });
    throwIfBuiltOn(checked);
    return checked;
  });
}

export const uploadsRoutes: Route[] = [
  on(readLastProductUpload, async ({ db, viewer, params, signal }) => {
    const distribution = await distributionFor(db, viewer, params.id);
    return await runInQueue({ ...distribution, signal }, () => findLastProductUpload(db, distribution));
  }),
  onTransaction(beginProductUpload, async ({ db, viewer, params, countRows }) => {
    const { id, products } = await beginProducts(db, viewer, await distributionFor(db, viewer, params.id));
    countRows({ changed: products });
    return { id };
  }),
  onTransaction(finishProductUpload, async ({ db, viewer, params }) =>
    finishProducts(db, await distributionFor(db, viewer, params.id), params.uploadId),
  ),
  on(readUndoRepricing, async ({ db, viewer, params: { id, uploadId }, signal }) => {
    const distribution = await listSourceFor(db, viewer, id, signal);
    const products = await runInQueue(distribution, () => termsBefore(db, distribution, uploadId));
    return await previewRepricing(db, distribution, { products, cleared: [], newFees: [], changedFees: [], deletedFees: [] });
  }),
  onTransaction(
    undoProductUpload,
    async ({ db, viewer, params: { id, uploadId }, checked, countRows }) => {
      const distribution = await lockDistribution(db, viewer, id);
      await lockProductUpload(db, distribution, uploadId);
      if (await mayHaveChanged(db, distribution, checked)) {
        countRows({ read: 2 * checked.rowsRead });
        throwIfBuiltOn(await checkUndo(db, distribution, uploadId));
      }
      countRows({ changed: checked.productIds.length });
      await undoProducts(db, viewer, distribution, uploadId);
    },
    { refuseEarly: refuseUndo },
  ),

  on(readLastCustomerUpload, ({ db, viewer }) => findLastCustomerUpload(db, viewer.tenantId)),
  onTransaction(beginCustomerUpload, ({ db, viewer }) => beginCustomers(db, viewer)),
  onTransaction(undoCustomerUpload, async ({ db, viewer, params: { uploadId }, now }) => {
    await setLockTimeout(db);
    const { userIds } = await lockCustomerUpload(db, viewer, uploadId);
    const undone = await undoCustomers(db, viewer, { uploadId, userIds, now });
    await recordRemoval(db, viewer, undone.removed, 'undo-upload');
    return undone;
  }),
];
