import { differenceOf, sumOfTills } from '../../domain/counter/till.ts';
import { conflict } from '../../server/errors.ts';
import { longInBatches } from '../../server/http/json-stream.ts';
import { readInQueue } from '../../server/queues/report-queue.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { distributionFor } from '../distributions/queries.ts';
import { closeTill, listTills, openTill, type Till } from './contract.ts';
import { expectedOf, lockTill, NO_TAKINGS, readTills, saveClosing, saveNewTill, takingsIn, type Takings, type TillRow } from './queries.ts';
import { CLOSED_ALREADY } from './texts.ts';

function tillOf(till: TillRow, takings: Takings): Till {
  const expected = expectedOf(till, takings);
  const { counted } = till;
  return { ...till, payments: takings.payments, expected, counted, difference: counted && differenceOf(counted, expected) };
}

export const tillsRoutes: Route[] = [
  on(openTill, async ({ db, viewer, body }) => {
    await distributionFor(db, viewer, body.distributionId);
    return tillOf(await saveNewTill(db, viewer, body), NO_TAKINGS);
  }),

  onTransaction(closeTill, async ({ db, viewer, params, body: { counted } }) => {
    const till = await lockTill(db, viewer, params.id);
    if (till.closedAt !== null) throw conflict(CLOSED_ALREADY);
    const takings = await takingsIn(db, till);
    return tillOf(await saveClosing(db, viewer, till, { expected: expectedOf(till, takings), counted }), takings);
  }),

  on(listTills, async ({ db, viewer, params, signal }) => {
    const { id, distributorId } = await distributionFor(db, viewer, params.id);
    const { tills, takings } = await readInQueue({ distributorId, signal }, () => readTills(db, viewer, id));
    const isAll = viewer.role === 'distributor';
    const withoutTill = takings.get(null) ?? NO_TAKINGS;
    return {
      tills: longInBatches(tills.map((till) => tillOf(till, takings.get(till.id) ?? NO_TAKINGS))),
      withoutTill: isAll ? withoutTill : null,
      received: isAll ? sumOfTills([...takings.values()].map(({ received }) => received)) : null,
    };
  }),
];
