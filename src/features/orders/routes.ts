import { orderingBlockedReason } from '../../domain/distribution.ts';
import { orderProblem, quantitiesOf, type QuantityLine } from '../../domain/order.ts';
import type { Db } from '../../server/database/db.ts';
import { conflict, HttpError, notFound, throwIfRefused } from '../../server/http/errors.ts';
import { Answer, on, type KeyRowOf, type Route } from '../../server/http/http.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { listHistory } from '../audit/queries.ts';
import { distributionFor, assertFound, VISIBLE_DISTRIBUTION } from '../distributions/queries.ts';
import { listOwnAccounts } from '../payments/queries.ts';
import { listOrders, placeCustomerOrder, placeOrder, readHistory, readOrder, readOrderPageData } from './contract.ts';
import {
  customerFor,
  findOrderPageData,
  findOrderState,
  findOwnOrder,
  OWN_STATE,
  saveOrder,
  saveWithKey,
  type OrderState,
} from './queries.ts';
import { CHANGED_ELSEWHERE } from './texts.ts';

/** Far more than the other windows of one family can get in between. */
const ATTEMPTS = 50;

interface Wanted {
  readonly customerId: number;
  readonly distributionId: number;
  readonly products: readonly QuantityLine[];
  readonly version?: number | undefined;
}

const isStaff = (viewer: Viewer): boolean => viewer.role !== 'customer';

/** Staff leave what the customer last asked for; of a line they are the first to set it is their quantity (contract §5). */
function whatChanges(state: OrderState, wanted: readonly QuantityLine[], keepsOriginal: boolean) {
  const asked = quantitiesOf(wanted);
  const before = new Map(state.lines.map((line) => [line.productId, line]));
  const ids = new Set([...before.keys(), ...wanted.filter((line) => line.quantity > 0).map((line) => line.productId)]);
  const lines = [...ids]
    .map((productId) => {
      const quantity = asked.get(productId) ?? 0;
      return { productId, quantity, originalQuantity: (keepsOriginal ? before.get(productId)?.originalQuantity : null) ?? quantity };
    })
    .filter((line) => {
      const old = before.get(line.productId);
      return old?.quantity !== line.quantity || old.originalQuantity !== line.originalQuantity;
    });
  const changed = lines.filter((line) => before.get(line.productId)?.quantity !== line.quantity).map((line) => line.productId);
  return { lines, changed };
}

function refuseUnfit(viewer: Viewer, state: OrderState, wanted: Wanted): void {
  const byStaff = isStaff(viewer);
  throwIfRefused(byStaff ? null : orderingBlockedReason(state), 409);
  if (wanted.version !== undefined && wanted.version !== state.version) throw conflict(CHANGED_ELSEWHERE, { version: state.version });
  throwIfRefused(orderProblem(state.products, wanted.products, { mayBeEmpty: byStaff }));
}

const productIdsOf = (products: readonly QuantityLine[]): number[] => products.map((line) => line.productId);

/** What is to be written and what to answer when it is; throws what stands against it. */
function writeOf(viewer: Viewer, wanted: Wanted, state: OrderState | null) {
  const { customerId, distributionId } = wanted;
  const byStaff = isStaff(viewer);
  if (!state || (!byStaff && !state.published && state.orderId === null)) throw notFound('Distribution');
  refuseUnfit(viewer, state, wanted);
  const products = wanted.products.filter((line) => line.quantity > 0);
  const write = { distributionId, customerId, by: viewer, state, ...whatChanges(state, wanted.products, byStaff) };
  const answer = (id: number, version: number) => new Answer(state.orderId === null ? 201 : 200, { id, distributionId, products, version });
  return { write, answer };
}

/** `known` is the state where it has been read already: what was judged by it is written only if it still holds. */
async function placeWholeOrder(db: Db, viewer: Viewer, wanted: Wanted, known?: OrderState | null) {
  const { customerId, distributionId } = wanted;
  const asked = { tenantId: viewer.tenantId, customerId, distributionId, productIds: productIdsOf(wanted.products) };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const state = attempt === 0 && known !== undefined ? known : await findOrderState(db, asked);
    const { write, answer } = writeOf(viewer, wanted, state);
    if (write.state.orderId !== null && write.lines.length === 0) return answer(write.state.orderId, write.state.version);
    const saved = await saveOrder(db, write);
    if (saved) return answer(saved.id, saved.version);
  }
  throw conflict(CHANGED_ELSEWHERE);
}

/** The own order in one statement with the row of its key, together with others; null where nothing was written. */
async function placeWithKey(db: Db, viewer: Viewer, wanted: Wanted, { known, keyRow }: { known: OrderState | null; keyRow: KeyRowOf }) {
  const { customerId, distributionId } = wanted;
  const asked = { tenantId: viewer.tenantId, customerId, distributionId, productIds: productIdsOf(wanted.products) };
  try {
    // Once more where something moved, as a price does for everybody at once.
    for (const state of [() => known, () => findOrderState(db, asked)]) {
      const { write, answer } = writeOf(viewer, wanted, await state());
      if (write.lines.length === 0) return null;
      // A new order's id is known when it is there.
      const key = keyRow(answer(write.state.orderId ?? 1, write.state.version + 1));
      const saved = await saveWithKey(db, { ...write, key });
      if (saved) return { id: saved.id, key };
    }
  } catch (error) {
    // Only a refusal is worded the long way. A busy database is not asked for a transaction as well.
    if (!(error instanceof HttpError) || error.status >= 500) throw error;
  }
  return null;
}

export const ordersRoutes: Route[] = [
  on(listOrders, ({ db, viewer }) => listOwnAccounts(db, viewer)),
  on(readOrder, ({ db, viewer, found }) => findOwnOrder(db, viewer, assertFound(found).id), {
    text: VISIBLE_DISTRIBUTION,
    values: ({ params }) => [params.distributionId],
  }),
  on(
    placeOrder,
    ({ db, viewer, body, found }) => placeWholeOrder(db, viewer, { ...body, customerId: viewer.userId }, found),
    { text: OWN_STATE, values: ({ body }) => [body.distributionId, productIdsOf(body.products)] },
    ({ db, viewer, body, found }, keyRow) => placeWithKey(db, viewer, { ...body, customerId: viewer.userId }, { known: found, keyRow }),
  ),

  on(readOrderPageData, ({ db, viewer, params }) => findOrderPageData(db, viewer, params)),
  on(placeCustomerOrder, async ({ db, viewer, body }) => {
    await distributionFor(db, viewer, body.distributionId);
    await customerFor(db, viewer, body.customerId);
    return await placeWholeOrder(db, viewer, body);
  }),
  on(readHistory, ({ db, viewer, params }) => listHistory(db, viewer, params.orderId)),
];
