import { conflict } from '../../server/errors.ts';
import { onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { recordDistribution } from '../audit/queries.ts';
import { lockOriginal } from '../copies/queries.ts';
import { distributionFor } from '../distributions/queries.ts';
import { startRehearsal } from './contract.ts';
import { saveRehearsal } from './queries.ts';
import { REHEARSAL_OF_REHEARSAL } from './texts.ts';

export const rehearsalsRoutes: Route[] = [
  onTransaction(startRehearsal, async ({ db, viewer, params }) => {
    const original = await lockOriginal(db, viewer, params.id);
    if (original.rehearsal) throw conflict(REHEARSAL_OF_REHEARSAL);
    const rehearsal = await saveRehearsal(db, viewer, original);
    await recordDistribution(db, viewer, null, rehearsal);
    return await distributionFor(db, viewer, rehearsal.id);
  }),
];
