import { differenceOf, sumOfTills } from '../../domain/counter/till.ts';
import { conflict } from '../../server/errors.ts';
import { longInBatches } from '../../server/queues/event-loop.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { distributionFor } from '../distributions/queries.ts';
import { closeTill, listTills, openTill, type Till } from './contract.ts';
import {
  expectedOf,
  lockTill,
  NO_TOTALS,
  readTills,
  saveClosing,
  saveNewTill,
  totalsOfTill,
  type TillRow,
  type TillTotals,
} from './queries.ts';
import { CLOSED_ALREADY } from './texts.ts';

function tillOf(till: TillRow, totals: TillTotals): Till {
  const expected = expectedOf(till, totals);
  const { counted } = till;
  return { ...till, payments: totals.payments, expected, counted, difference: counted && differenceOf(counted, expected) };
}

export const tillsRoutes: Route[] = [
  on(openTill, async ({ db, viewer, body }) => {
    await distributionFor(db, viewer, body.distributionId);
    return tillOf(await saveNewTill(db, viewer, body), NO_TOTALS);
  }),

  onTransaction(closeTill, async ({ db, viewer, params, body: { counted } }) => {
    const till = await lockTill(db, viewer, params.id);
    if (till.closedAt !== null) throw conflict(CLOSED_ALREADY);
    const totals = await totalsOfTill(db, till);
    return tillOf(await saveClosing(db, viewer, till, { expected: expectedOf(till, totals), counted }), totals);
  }),

  on(listTills, async ({ db, viewer, params, signal }) => {
    const { id, distributorId } = await distributionFor(db, viewer, params.id);
    const { tills, totals } = await runInQueue({ distributorId, signal }, () => readTills(db, viewer, id));
    const isAll = viewer.role === 'distributor';
    const withoutTill = totals.get(null) ?? NO_TOTALS;
    return {
      tills: longInBatches(tills.map((till) => tillOf(till, totals.get(till.id) ?? NO_TOTALS))),
      withoutTill: isAll ? withoutTill : null,
      received: isAll ? sumOfTills([...totals.values()].map(({ received }) => received)) : null,
    };
  }),
];
