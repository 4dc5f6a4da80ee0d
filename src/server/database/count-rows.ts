/** Numbers of rows, such as order lines, weights or products, and of bytes. */
export interface CountedRows {
  readonly changed?: number;
  /** The bytes of the Idempotency-Key and of the reply that the pipeline has stored for it. */
  readonly storedBytes?: number;
  /**
   * The rows that the call reads before its change. For a change of an order, these are all lines of the order, each time that the call
   * reads them, and the counted orders of a pick-up time. Other calls read, for example, stored replies or the names of customers.
   */
  readonly read?: number;
  /**
   * The number of rows that the call has added up or counted since it last called `countRows`, for example the order lines and waiting list
   * entries of a limited product, or the people of a distributor.
   */
  readonly summed?: number;
}

/**
 * Counts the rows that a call changes, reads or adds up toward the limits of saves (save-limit.ts). Only changed rows and stored bytes
 * count toward the rows of a day. A route calls it as soon as it knows the numbers of rows, because a call that then fails counts, too.
 * It never refuses this call. If the rows are more than the limit of saves per minute allows, the next calls of the person are refused
 * before they do any work.
 */
export type CountRows = (rows: CountedRows) => void;
