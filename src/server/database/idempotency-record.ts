/** The row of an idempotency key. A statement stores this row together with the changes of the call. */
export interface IdempotencyRecord {
  readonly key: string;
  readonly bodyHash: string;
  readonly createdAt: Date;
  readonly status: number;
  /** The reply as JSON. */
  readonly reply: string;
}
