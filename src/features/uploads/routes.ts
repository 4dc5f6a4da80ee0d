import { setLockTimeout, transaction } from '../../server/database/db.ts';
import { conflict } from '../../server/http/errors.ts';
import { on, type Route } from '../../server/http/pipeline/route.ts';
import { recordRemoval } from '../audit/queries.ts';
import { distributionFor, lockDistribution } from '../distributions/queries.ts';
import {
  beginCustomerUpload,
  beginProductUpload,
  finishProductUpload,
  readLastCustomerUpload,
  readLastProductUpload,
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
  undoCustomers,
  undoProducts,
} from './queries.ts';
import { builtOnText, TOO_LATE } from './texts.ts';

export const uploadsRoutes: Route[] = [
  on(readLastProductUpload, async ({ db, viewer, params }) => findLastProductUpload(db, await distributionFor(db, viewer, params.id))),
  on(beginProductUpload, ({ db, viewer, params }) =>
    transaction(db, async (db) => beginProducts(db, viewer, await distributionFor(db, viewer, params.id))),
  ),
  on(finishProductUpload, ({ db, viewer, params }) =>
    transaction(db, async (db) => finishProducts(db, await distributionFor(db, viewer, params.id), params.uploadId)),
  ),
  on(undoProductUpload, ({ db, viewer, params: { id, uploadId } }) =>
    transaction(db, async (db) => {
      await setLockTimeout(db);
      const distribution = await lockDistribution(db, viewer, id);
      const { canBeUndone } = await lockProductUpload(db, distribution, uploadId);
      if (!canBeUndone) throw conflict(TOO_LATE);
      const builtOn = await findBuiltOn(db, distribution, uploadId);
      if (builtOn !== null) throw conflict(builtOnText(builtOn));
      await undoProducts(db, viewer, distribution, uploadId);
    }),
  ),

  on(readLastCustomerUpload, ({ db, viewer }) => findLastCustomerUpload(db, viewer.tenantId)),
  on(beginCustomerUpload, ({ db, viewer }) => transaction(db, (db) => beginCustomers(db, viewer))),
  on(undoCustomerUpload, ({ db, viewer, params: { uploadId }, now }) =>
    transaction(db, async (db) => {
      await setLockTimeout(db);
      const { userIds } = await lockCustomerUpload(db, viewer, uploadId);
      const undone = await undoCustomers(db, viewer, { uploadId, userIds, now });
      await recordRemoval(db, viewer, undone.removed, 'undo-upload');
      return undone;
    }),
  ),
];
