import { actualsProblem, unitKey, unitsIn, whyNotEnter, withActuals } from '../../domain/actuals.ts';
import { transaction } from '../../server/db.ts';
import { refuse } from '../../server/errors.ts';
import { on, type Route } from '../../server/http.ts';
import { distributionFor } from '../distributions/queries.ts';
import { readActualsReport, readOrderForActuals, removeWeight, saveActuals } from './contract.ts';
import { actualsReport, deleteWeight, findOrderForActuals, orderToWeigh, saveWeights } from './queries.ts';
import { savedText, WEIGHT_REMOVED } from './texts.ts';

export const actualsRoutes: Route[] = [
  on(readOrderForActuals, async ({ db, viewer, params }) => {
    const { order, products, recorded } = await findOrderForActuals(db, viewer, params.orderId);
    return { ...order, whyNot: whyNotEnter(order, viewer.role), products: withActuals(products, recorded) };
  }),

  on(saveActuals, ({ db, viewer, params, body }) =>
    transaction(db, async (db) => {
      const order = await orderToWeigh(db, viewer, params.orderId);
      refuse(whyNotEnter(order, viewer.role), 409);
      refuse(actualsProblem(order.lines, body));
      const weights = unitsIn(body);
      if (weights.length > 0) await saveWeights(db, viewer, weights);
      return { message: savedText(weights.length) };
    }),
  ),

  on(removeWeight, ({ db, viewer, params, body }) =>
    transaction(db, async (db) => {
      const order = await orderToWeigh(db, viewer, params.orderId);
      refuse(whyNotEnter(order, viewer.role), 409);
      refuse(actualsProblem(order.lines, { [unitKey(body.orderProductId, body.index)]: 0 }));
      await deleteWeight(db, viewer, body);
      return { message: WEIGHT_REMOVED };
    }),
  ),

  on(readActualsReport, async ({ db, viewer, params, query }) => actualsReport(db, await distributionFor(db, viewer, params.id), query)),
];
