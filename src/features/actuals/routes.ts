import {
  actualsProblem,
  isUnconfirmed,
  mayOverwrite,
  parseUnitKey,
  replacesStaffWeights,
  unitKey,
  unitsIn,
  weightsAndBases,
  entryBlockedReason,
  withActuals,
} from '../../domain/weights/actuals.ts';
import { usualByProduct } from '../../domain/weights/plausibility.ts';
import type { Role } from '../../domain/accounts/roles.ts';
import { RECORDED_BY_STAFF } from '../../domain/texts.ts';
import { conflict, throwIfRefused } from '../../server/errors.ts';
import { LONG_ROWS_AT_ONCE, longInBatches } from '../../server/queues/event-loop.ts';
import { queuePositionOf } from '../../server/queues/expensive-queue.ts';
import { on, onTransaction, type Route } from '../../server/http/pipeline/route.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { listSourceFor } from '../distributions/queries.ts';
import { readOneOrder } from '../order-rows/queries.ts';
import { readActualsReport, readOrderForActuals, removeWeight, saveActuals, MAX_PER_ORDER } from './contract.ts';
import {
  actualsReport,
  deleteWeight,
  findOrderForActuals,
  lastStaffWeights,
  lockOrderToWeigh,
  recordedCount,
  recordedOf,
  saveWeights,
  hasManyWeights,
} from './queries.ts';
import { overtakenSentence, savedText, TOO_MANY_OF_ORDER, WEIGHT_REMOVED } from './texts.ts';

interface Saving {
  readonly weights: Readonly<Record<string, number>>;
  readonly bases: Readonly<Record<string, number | null>>;
  readonly recorded: Awaited<ReturnType<typeof recordedOf>>;
}

/** Whether staff change a weight that a customer recorded. They may, also if the customer has recorded it after they had weighed the unit. */
const replacesCustomer = ({ role }: Viewer, now: { readonly byRole: Role } | undefined): boolean =>
  role !== 'customer' && now !== undefined && isUnconfirmed(now);

/**
 * Throws if a customer would change a weight that staff recorded, or if a weight has changed since the user saw it. Saving the recorded
 * weight again is allowed. Staff may replace a customer's weight. Otherwise a customer could keep staff from recording what they have
 * weighed.
 */
function refuseOverwriting(viewer: Viewer, lines: readonly NamedLine[], { weights, bases, recorded }: Saving): void {
  const isOther = (key: string): boolean => recorded.get(key)?.actualQuantity !== weights[key];
  const unitOf = (key: string) => {
    const { actualQuantity = null, by = null, byRole = null } = recorded.get(key) ?? {};
    // A customer does not get the e-mail address of the staff member who recorded the weight, because a customer must not learn who works
    // for the distributor.
    return { unit: key, actualQuantity, by: viewer.role === 'customer' && byRole !== 'customer' ? null : by, byRole };
  };
  const changed = Object.keys(weights).filter(isOther);
  const ofStaff = changed.filter((key) => !mayOverwrite(viewer.role, recorded.get(key) ?? null));
  if (ofStaff.length > 0) throw conflict(RECORDED_BY_STAFF, { units: ofStaff.map(unitOf) });
  const overtaken = changed.filter((key) => {
    const now = recorded.get(key);
    return bases[key] !== undefined && bases[key] !== (now?.actualQuantity ?? null) && !replacesCustomer(viewer, now);
  });
  if (overtaken.length === 0) return;
  const named = overtaken.map((key) => ({ name: nameOf(lines, key), weight: unitOf(key).actualQuantity?.toString() ?? null }));
  throw conflict(overtakenSentence(named), { units: overtaken.map(unitOf) });
}

type NamedLine = Awaited<ReturnType<typeof lockOrderToWeigh>>['lines'][number];

/** Returns the product's name and the unit's number, for example 'Brisket 2/3'. */
function nameOf(lines: readonly NamedLine[], key: string): string {
  const { orderProductId = 0, index = 0 } = parseUnitKey(key) ?? {};
  const line = lines.find((candidate) => candidate.orderProductId === orderProductId);
  return `${line?.name ?? ''} ${index + 1}/${line?.quantity ?? 0}`;
}

export const actualsRoutes: Route[] = [
  on(readOrderForActuals, async ({ db, viewer, params: { orderId }, signal, openReply }) => {
    const asked = { ...queuePositionOf(viewer, signal), order: orderId, openReply };
    const { order, products, weights, recorded } = await readOneOrder(db, asked, () => findOrderForActuals(db, viewer, orderId));
    const usual = usualByProduct(weights);
    const toWeigh = products.map((product) => ({ ...product, usual: usual.get(product.productId) }));
    return {
      ...order,
      whyNot: entryBlockedReason(order, viewer.role),
      products: longInBatches(withActuals(toWeigh, recorded), LONG_ROWS_AT_ONCE),
    };
  }),

  onTransaction(
    saveActuals,
    async ({ db, viewer, params, body, countRows }) => {
      const order = await lockOrderToWeigh(db, viewer, params.orderId);
      countRows({ read: order.lines.length });
      throwIfRefused(entryBlockedReason(order, viewer.role), 409);
      const { weights, bases } = weightsAndBases(body);
      throwIfRefused(actualsProblem(order.lines, weights));
      const units = unitsIn(weights);
      const recorded = await recordedOf(db, units);
      const more = units.length - recorded.size;
      // The weights are counted only if the order has so many units that they could be too many.
      const mayExceed = more > 0 && order.lines.reduce((sum, { quantity }) => sum + quantity, 0) > MAX_PER_ORDER;
      throwIfRefused(mayExceed && (await recordedCount(db, params.orderId)) + more > MAX_PER_ORDER ? TOO_MANY_OF_ORDER : null, 409);
      refuseOverwriting(viewer, order.lines, { weights, bases, recorded });
      if (viewer.role === 'customer' && replacesStaffWeights(weights, await lastStaffWeights(db, units))) throw conflict(RECORDED_BY_STAFF);
      countRows({ changed: units.length });
      if (units.length > 0) await saveWeights(db, viewer, units);
      return { message: savedText(units.length) };
    },
    { oneAtATime: 'weights', isExpensiveChange: ({ body }) => hasManyWeights(weightsAndBases(body).weights) },
  ),

  onTransaction(
    removeWeight,
    async ({ db, viewer, params, body, countRows }) => {
      const order = await lockOrderToWeigh(db, viewer, params.orderId);
      countRows({ read: order.lines.length });
      throwIfRefused(entryBlockedReason(order, viewer.role), 409);
      const unit = unitKey(body.orderProductId, body.index);
      throwIfRefused(actualsProblem(order.lines, { [unit]: null }));
      const now = (await recordedOf(db, [{ orderProductId: body.orderProductId, sortOrder: body.index }])).get(unit);
      if (body.was !== undefined && now && now.actualQuantity !== body.was && !replacesCustomer(viewer, now))
        throw conflict(overtakenSentence([{ name: nameOf(order.lines, unit), weight: now.actualQuantity.toString() }]));
      await deleteWeight(db, viewer, body);
      return { message: WEIGHT_REMOVED };
    },
    { oneAtATime: 'weights' },
  ),

  on(readActualsReport, async ({ db, viewer, params, query, signal }) =>
    actualsReport(db, await listSourceFor(db, viewer, params.id, signal), query),
  ),
];
