// Reads the orders of a counter from the server (contract §14).
import type { Call } from '../../../client/api/fetch.ts';
import { fetchAllPages } from '../../../client/api/fetch-all-pages.ts';
import type { Query } from '../../../shared/endpoint.ts';
import { MAX_PAGE_SIZE, nextCursor } from '../../../shared/pages.ts';
import { listCounterOrders, readCounter, type CounterOrder, type CounterState } from '../contract.ts';
import { ORDER_LIST_TIMEOUT_MS, READ_TIMEOUT_MS } from '../requests/timeouts.ts';

export interface CounterRead {
  readonly state: CounterState;
  readonly orders: readonly CounterOrder[];
  /**
   * The mark of the earlier read, if `orders` contains only the orders that changed since that read. Null if `orders` contains all orders.
   */
  readonly since: string | null;
}

/**
 * Reads the orders that changed since the read that returned the mark `since`. Reads all orders if `since` is null or if too many orders
 * changed.
 */
export async function readOrders(call: Call, id: number, since: string | null): Promise<CounterRead> {
  const params = { id };
  const read = (query: Query) => call(readCounter, { params, query, signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
  const changedSince = since === null ? {} : { since, limit: String(MAX_PAGE_SIZE) };
  // Each mark that is kept was returned before the orders are read here. The next read therefore includes changes that happen while the
  // pages are being read.
  const state = await read(changedSince);
  if (!state.distribution.acceptActuals) return { state, orders: [], since };
  const changed: CounterOrder[] = [];
  for (let page = state; page.changed;) {
    changed.push(...page.changed);
    const after = nextCursor(page.changed);
    if (after === null) return { state, orders: changed, since };
    page = await read({ ...changedSince, after });
  }
  const whole = state.catalogue ? state : await read({});
  const orders = await fetchAllPages((page) =>
    call(listCounterOrders, { params, query: page, signal: AbortSignal.timeout(ORDER_LIST_TIMEOUT_MS) }),
  );
  return { state: whole, orders: orders as CounterOrder[], since: null };
}
