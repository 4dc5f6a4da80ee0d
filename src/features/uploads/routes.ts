import { setLockTimeout } from '../../server/database/db.ts';
import { conflict } from '../../server/http/errors.ts';
import { readInQueue } from '../../server/http/report-queue.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
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
  findBuiltOn,
  findLastCustomerUpload,
  findLastProductUpload,
  finishProducts,
  lockCustomerUpload,
  lockProductUpload,
  storeChanges,
  termsBefore,
  undoCustomers,
  undoProducts,
} from './queries.ts';
import { builtOnText, TOO_LATE } from './texts.ts';

export const uploadsRoutes: Route[] = [
  on(readLastProductUpload, async ({ db, viewer, params, signal }) => {
    const distribution = await distributionFor(db, viewer, params.id);
    return await readInQueue({ ...distribution, signal }, () => findLastProductUpload(db, distribution));
  }),
  onTransaction(beginProductUpload, async ({ db, viewer, params }) =>
    beginProducts(db, viewer, await distributionFor(db, viewer, params.id)),
  ),
  onTransaction(finishProductUpload, async ({ db, viewer, params }) =>
    finishProducts(db, await distributionFor(db, viewer, params.id), params.uploadId),
  ),
  on(readUndoRepricing, async ({ db, viewer, params: { id, uploadId }, signal }) => {
    const place = await listSourceFor(db, viewer, id, signal);
    const products = await readInQueue(place, () => termsBefore(db, place, uploadId));
    return await previewRepricing(db, place, { products, cleared: [], newFees: [], changedFees: [], deletedFees: [] });
  }),
  onTransaction(undoProductUpload, async ({ db, viewer, params: { id, uploadId } }) => {
    const distribution = await lockDistribution(db, viewer, id);
    const { canBeUndone } = await lockProductUpload(db, distribution, uploadId);
    if (!canBeUndone) throw conflict(TOO_LATE);
    await storeChanges(db, distribution, uploadId);
    const builtOn = await findBuiltOn(db, distribution, uploadId);
    if (builtOn !== null) throw conflict(builtOnText(builtOn));
    await undoProducts(db, viewer, distribution, uploadId);
  }),

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
