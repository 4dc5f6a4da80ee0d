import { transaction } from '../../server/database/db.ts';
import { conflict } from '../../server/http/errors.ts';
import { on, type Route } from '../../server/http/pipeline/route.ts';
import { distributionFor, lockDistribution } from '../distributions/queries.ts';
import { beginUpload, finishUpload, readLastUpload, undoUpload } from './contract.ts';
import { findBuiltOn, findLastUpload, lockUpload, saveBegin, saveFinish, saveUndo } from './queries.ts';
import { builtOnText, TOO_LATE } from './texts.ts';

export const productUploadsRoutes: Route[] = [
  on(readLastUpload, async ({ db, viewer, params }) => findLastUpload(db, await distributionFor(db, viewer, params.id))),
  on(beginUpload, ({ db, viewer, params }) =>
    transaction(db, async (db) => saveBegin(db, viewer, await distributionFor(db, viewer, params.id))),
  ),
  on(finishUpload, ({ db, viewer, params }) =>
    transaction(db, async (db) => saveFinish(db, await distributionFor(db, viewer, params.id), params.uploadId)),
  ),
  on(undoUpload, ({ db, viewer, params: { id, uploadId } }) =>
    transaction(db, async (db) => {
      const distribution = await lockDistribution(db, viewer, id);
      const { canBeUndone } = await lockUpload(db, distribution, uploadId);
      if (!canBeUndone) throw conflict(TOO_LATE);
      const builtOn = await findBuiltOn(db, distribution, uploadId);
      if (builtOn !== null) throw conflict(builtOnText(builtOn));
      await saveUndo(db, viewer, distribution, uploadId);
    }),
  ),
];
