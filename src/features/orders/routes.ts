import { orderingBlockedReason } from '../../domain/distribution.ts';
import { changedLines } from '../../domain/ordering/changed-lines.ts';
import {
  limitProblems,
  needsSlot,
  raisesQuantity,
  slotProblem,
  unconfirmedProblems,
  type LimitProblem,
} from '../../domain/ordering/limits.ts';
import { offerProblem } from '../../domain/ordering/withdrawn-products.ts';
import { orderProblem, quantitiesOf, type QuantityLine } from '../../domain/order.ts';
import { hasUnits } from '../../domain/weights/actuals.ts';
import { areSameLosses, lowersQuantity } from '../../domain/weights/losses.ts';
import type { Db } from '../../server/database/db.ts';
import { assertFound, conflict, notFound, throwIfRefused, unauthenticated } from '../../server/errors.ts';
import { longInBatches } from '../../server/queues/event-loop.ts';
import { queuePositionOf, runInQueue } from '../../server/queues/expensive-queue.ts';
import { on, ReplyWithStatus, type RecordOf, type Route, type RouteContext } from '../../server/http/pipeline/route.ts';
import type { Viewer } from '../../server/auth/session.ts';
import type { BodyOf } from '../../shared/endpoint.ts';
import { listHistory } from '../audit/queries.ts';
import { distributionFor, visibleDistribution } from '../distributions/queries.ts';
import {
  listOrders,
  placeCustomerOrder,
  placeOrder,
  readHistory,
  readOrder,
  readOrderPageData,
  withDetails,
  type Order,
  type StoredDetails,
} from './contract.ts';
import {
  customerFor,
  findLosses,
  findOrderPageData,
  findOwnOrder,
  giveBackOrderId,
  MANY_LINES,
  newOrderId,
  ownAccountsOf,
  saveOrder,
  type OrderDetails,
} from './queries.ts';
import { findOrderState, ownOrderState, savedLineCount, type OrderState } from '../order-state/queries.ts';
import { withLeftFor } from '../product-list/queries.ts';
import { countEntries } from '../waiting/queries.ts';
import { readOneOrder } from '../order-rows/queries.ts';
import { LOSSES_CHANGED } from './edit-order/texts.ts';
import { CHANGED_ELSEWHERE, PICKED_UP } from './texts.ts';

/** How often the server tries to save an order. Even several windows of one family that save the same order at once need fewer attempts. */
const ATTEMPTS = 50;

/** The order that a customer or staff want to save. Only requests of staff contain `beyondLimits`. */
type Wanted = BodyOf<typeof placeCustomerOrder>;

const isStaff = (viewer: Viewer): boolean => viewer.role !== 'customer';

/** Whether an order has so many lines that its save must wait in the queue of expensive reads. */
const isLongOrder = ({ products }: Pick<Wanted, 'products'>, savedLines = 0): boolean => Math.max(products.length, savedLines) > MANY_LINES;

/** Returns the note and pick-up time after the save. An order without units does not count as placed, so it has no pick-up time. */
const detailsOf = (state: OrderState, { note = state.note, slotId = state.slotId, products }: Wanted): StoredDetails => ({
  note,
  slotId: hasUnits(products) ? slotId : null,
});

/** Returns the note and pick-up time after the change, with the changed fields for the audit row; null if neither changes. */
function changedDetails({ slots, ...before }: OrderState, after: StoredDetails): OrderDetails | null {
  const labelOf = ({ slotId }: StoredDetails) => slots.find(({ id }) => id === slotId)?.label ?? null;
  const changed = { note: before.note !== after.note, slot: before.slotId !== after.slotId };
  if (!changed.note && !changed.slot) return null;
  const termsOf = (details: StoredDetails) => ({
    ...(changed.note ? { note: details.note } : {}),
    ...(changed.slot ? { slot: labelOf(details) } : {}),
  });
  return { ...after, before: termsOf(before), after: termsOf(after) };
}

/**
 * Returns how the order changes its pick-up time. If all saved quantities are 0, the order counts as having no pick-up time: a server of the
 * previous version does not remove the pick-up time of such an order.
 */
const slotChangeOf = (state: OrderState, wanted: Wanted) => ({
  slotId: detailsOf(state, wanted).slotId,
  savedSlotId: hasUnits(state.lines) ? state.slotId : null,
  isRaised: raisesQuantity(wanted.products, quantitiesOf(state.lines)),
});

const limitProblemsOf = (state: OrderState, wanted: Wanted): LimitProblem[] =>
  limitProblems(state.products, wanted.products, quantitiesOf(state.lines));

/** Whether the order was picked up. An order without units does not count as placed, so the customer may order again. */
const isHandedOver = ({ isPickedUp, lines }: OrderState): boolean => isPickedUp && hasUnits(lines);

function refuseUnfit(viewer: Viewer, state: OrderState, wanted: Wanted): void {
  const byStaff = isStaff(viewer);
  throwIfRefused(byStaff ? null : (orderingBlockedReason(state, state.now) ?? (isHandedOver(state) ? PICKED_UP : null)), 409);
  if (wanted.version !== undefined && wanted.version !== state.version) throw conflict(CHANGED_ELSEWHERE, { version: state.version });
  throwIfRefused(orderProblem(state.products, wanted.products, { mayBeEmpty: byStaff }));
  const problem = slotProblem({ ...state, ...slotChangeOf(state, wanted) }, { byStaff });
  if (problem) throwIfRefused(problem.sentence, problem.status);
  throwIfRefused(offerProblem(state.products, wanted.products, quantitiesOf(state.lines)), 409);
  const [unconfirmed] = unconfirmedProblems(limitProblemsOf(state, wanted), wanted.beyondLimits ?? []);
  throwIfRefused(unconfirmed?.sentence ?? null, 409);
}

const productIdsOf = (products: readonly QuantityLine[]): number[] => products.map((line) => line.productId);
const slotIdsOf = ({ slotId }: Pick<Wanted, 'slotId'>): number[] => (slotId ? [slotId] : []);
/**
 * Returns how many orders count as read because the pick-up time was checked. For staff it is 0, because they may overbook a pick-up time.
 */
const slotOrdersRead = (viewer: Viewer, state: OrderState | null): number =>
  isStaff(viewer) ? 0 : (state?.slots ?? []).reduce((sum, { taken }) => sum + taken, 0);

/** Validates the wanted order with the current state. Throws the reason why the order is refused. */
function validateOrder(viewer: Viewer, wanted: Wanted, state: OrderState | null): OrderState {
  if (!state || (!isStaff(viewer) && !state.published && state.version === 0)) throw notFound('Distribution');
  refuseUnfit(viewer, state, wanted);
  return state;
}

/** Returns what to write and what to reply for a valid order with this id. */
function changeOf(viewer: Viewer, wanted: Wanted, state: OrderState, id: number) {
  const { customerId, distributionId } = wanted;
  const byStaff = isStaff(viewer);
  const lines = changedLines(state.lines, wanted.products, { byStaff });
  const after = detailsOf(state, wanted);
  const details = changedDetails(state, after);
  const isNew = state.version === 0;
  const isUnchanged = !isNew && lines.length === 0 && details === null;
  const version = isUnchanged ? state.version : state.version + 1;
  const judgedBy = state.products.map(({ name: _name, left: _left, ...validated }) => validated);
  const beyondLimits = limitProblemsOf(state, wanted).map(({ productId }) => productId);
  const item = {
    id,
    customerId,
    version,
    updatedBy: viewer.userId,
    needsOpenOrdering: !byStaff,
    judgedBy,
    catalogueVersion: state.catalogueVersion,
    lines,
    ...(after.slotId !== null ? { slotId: after.slotId } : {}),
    ...(needsSlot(slotChangeOf(state, wanted)) ? {} : { needsSlot: false }),
    ...(details ? { details } : {}),
    // Staff have confirmed that the order exceeds these limits. If it exceeds another limit before it is saved, it is validated again.
    ...(beyondLimits.length > 0 ? { beyondLimits } : {}),
  };
  const products = wanted.products.filter((line) => line.quantity > 0);
  const reply = withDetails({ id, distributionId, products, version, ...after });
  return { item, isUnchanged, reply: new ReplyWithStatus(isNew ? 201 : 200, reply) };
}

/**
 * Returns the largest number of holds of other customers that the order can end. An order within the limits of its products ends none. If
 * staff order more units of a product than its limit allows, all holds of the product's waiting list can end.
 */
async function countEndedHolds(db: Db, viewer: Viewer, wanted: Wanted, state: OrderState): Promise<number> {
  const exceeded = limitProblemsOf(state, wanted).map(({ productId }) => productId);
  return exceeded.length === 0 ? 0 : await countEntries(db, { distributorId: viewer.tenantId, id: wanted.distributionId }, exceeded);
}

/**
 * Refuses a save that would delete other weights than staff saw, or after which another refund would be due. Returns the version of the
 * order's row with which this was validated; undefined if the save was not validated in this way.
 */
async function refuseOtherLosses({ db, viewer, countRows }: PlaceContext, wanted: Wanted, { orderId, lines, products }: OrderState) {
  const quantities = quantitiesOf(wanted.products);
  if (wanted.losses === undefined || orderId === null || !lowersQuantity(lines, quantities)) return undefined;
  const { losses, rowVersion, rowsRead } = await findLosses(db, { tenantId: viewer.tenantId, orderId, offered: products }, quantities);
  countRows({ summed: rowsRead });
  if (!areSameLosses(losses, wanted.losses)) throw conflict(LOSSES_CHANGED);
  return rowVersion;
}

type PlaceContext = Pick<RouteContext<never>, 'db' | 'viewer' | 'countRows'>;
interface PlaceOptions {
  /** The state of the order, if the session preload has read it already. */
  readonly known?: OrderState | null | undefined;
  /** Builds the record of the request's Idempotency-Key with the reply. The record is saved together with the order. */
  readonly recordOf?: RecordOf<Order> | undefined;
}

/** Validates and saves the order. If data that the validation used has changed before the save, validates and saves again. */
async function placeWholeOrder({ db, viewer, countRows }: PlaceContext, wanted: Wanted, { known, recordOf }: PlaceOptions) {
  const { customerId, distributionId } = wanted;
  const stateQuery = { tenantId: viewer.tenantId, customerId, distributionId, products: wanted.products, slotIds: slotIdsOf(wanted) };
  let rowsRead = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = attempt === 0 && known !== undefined ? known : await findOrderState(db, stateQuery);
    rowsRead += (found?.lines.length ?? 0) + slotOrdersRead(viewer, found);
    countRows({ read: rowsRead, summed: found?.summed ?? 0 });
    const state = validateOrder(viewer, wanted, found);
    const rowVersion = await refuseOtherLosses({ db, viewer, countRows }, wanted, state);
    const id = state.orderId ?? (await newOrderId(db));
    const { item, isUnchanged, reply } = changeOf(viewer, wanted, state, id);
    if (isUnchanged) return { reply, record: null };
    countRows({ changed: item.lines.length + (await countEndedHolds(db, viewer, wanted, state)) });
    const record = recordOf?.(reply) ?? null;
    const { outcome, summed } = await saveOrder(db, viewer, {
      distributionId,
      item: { ...item, ...record, ...(rowVersion ? { rowVersion } : {}) },
    });
    countRows({ summed });
    if (outcome !== 'saved' && state.orderId === null) giveBackOrderId(db, id);
    if (outcome === 'saved') return { reply, record };
    if (outcome === 'key used') return { reply, record: null };
    if (outcome === 'no customer') throw isStaff(viewer) ? notFound('Customer') : unauthenticated();
  }
  throw conflict(CHANGED_ELSEWHERE);
}

type PlaceOwnContext = PlaceContext & { readonly body: Omit<Wanted, 'customerId'>; readonly preloaded: OrderState | null };

/** Saves an order of the viewer. Its state was read with the session, unless the order is long. */
function placeOwnOrder(context: PlaceOwnContext, recordOf?: RecordOf<Order>) {
  const { body, preloaded, viewer } = context;
  const known = isLongOrder(body) ? undefined : preloaded;
  return placeWholeOrder(context, { ...body, customerId: viewer.userId }, { known, recordOf });
}

export const ordersRoutes: Route[] = [
  on(listOrders, async ({ db, viewer, signal, countRows }) => ownAccountsOf(db, viewer, { signal, countRows })),
  on(
    readOrder,
    ({ db, viewer, preloaded, signal }) => {
      const { id: distributionId } = assertFound(preloaded, 'Distribution');
      const toRead = { ...queuePositionOf(viewer, signal), order: { customerId: viewer.userId, distributionId } };
      return readOneOrder(db, toRead, () => findOwnOrder(db, viewer, distributionId));
    },
    { sessionPreload: { query: visibleDistribution, args: ({ params }) => params } },
  ),
  on(placeOrder, async (context) => (await placeOwnOrder(context)).reply, {
    // A batch of orders then contains at most one order of each customer, so that no customer can delay the others with many saves.
    oneAtATime: 'orders',
    isExpensiveChange: ({ body, preloaded }) => isLongOrder(body, preloaded?.lines.length),
    sessionPreload: {
      query: ownOrderState,
      args: ({ body }) =>
        isLongOrder(body)
          ? null
          : { distributionId: body.distributionId, productIds: productIdsOf(body.products), slotIds: slotIdsOf(body) },
      linesRead: ({ lines }) => lines.length,
    },
    idempotentFastPath: async (context, recordOf) => (await placeOwnOrder(context, recordOf)).record,
  }),

  on(
    readOrderPageData,
    async ({ db, viewer, params, signal }) => {
      const page = await runInQueue({ distributorId: viewer.tenantId, signal }, () => findOrderPageData(db, viewer, params));
      const { distribution, distributionProducts: products, orderProducts } = page;
      // The shared read may wait for others, so it does not wait in the queue. A save checks the limits again.
      const withLeft = await withLeftFor(db, distribution, { products, customerId: params.customerId });
      return { ...page, distributionProducts: longInBatches(withLeft), orderProducts: longInBatches(orderProducts) };
    },
    { keepsListsInMemory: true },
  ),
  on(
    placeCustomerOrder,
    async (context) => {
      const { db, viewer, body } = context;
      const distribution = await distributionFor(db, viewer, body.distributionId);
      await customerFor(db, distribution, body.customerId);
      return (await placeWholeOrder(context, body, {})).reply;
    },
    {
      isExpensiveChange: ({ body, preloaded }) => isLongOrder(body, preloaded?.lines),
      sessionPreload: {
        query: savedLineCount,
        args: ({ body: { distributionId, customerId } }) => ({ distributionId, customerId }),
      },
    },
  ),
  on(readHistory, ({ db, viewer, params, query, signal }) =>
    listHistory(db, { distributorId: viewer.tenantId, id: params.orderId, signal }, query),
  ),
];
