import { differenceOf, receivedBy } from '../../domain/counter/till.ts';
import { conflict } from '../../server/http/errors.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import { distributionFor } from '../distributions/queries.ts';
import { closeTill, listTills, openTill, type Till } from './contract.ts';
import { expectedOf, lockTill, paymentsIn, readTills, saveClosing, saveNewTill, type TillRow } from './queries.ts';
import { CLOSED_ALREADY } from './texts.ts';

function tillOf(till: TillRow, payments: Parameters<typeof expectedOf>[1]): Till {
  const expected = expectedOf(till, payments);
  const { counted } = till;
  return { ...till, payments: payments.length, expected, counted, difference: counted && differenceOf(counted, expected) };
}

export const tillsRoutes: Route[] = [
  on(openTill, async ({ db, viewer, body }) => {
    await distributionFor(db, viewer, body.distributionId);
    return tillOf(await saveNewTill(db, viewer, body), []);
  }),

  onTransaction(closeTill, async ({ db, viewer, params, body: { counted } }) => {
    const till = await lockTill(db, viewer, params.id);
    if (till.closedAt !== null) throw conflict(CLOSED_ALREADY);
    const payments = await paymentsIn(db, till);
    return tillOf(await saveClosing(db, viewer, till, { expected: expectedOf(till, payments), counted }), payments);
  }),

  on(listTills, async ({ db, viewer, params }) => {
    const { id } = await distributionFor(db, viewer, params.id);
    const { tills, payments } = await readTills(db, viewer, id);
    const byTill = Map.groupBy(payments, ({ tillId }) => tillId);
    const isAll = viewer.role === 'distributor';
    const loose = byTill.get(null) ?? [];
    return {
      tills: tills.map((till) => tillOf(till, byTill.get(till.id) ?? [])),
      withoutTill: isAll ? { payments: loose.length, received: receivedBy(loose) } : null,
      received: isAll ? receivedBy(payments) : null,
    };
  }),
];
