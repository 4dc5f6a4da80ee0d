// The tables that record who changed what and when, with the previous value. No row is deleted. Only a trigger changes rows: it limits how
// many one customer adds within a minute.
import type { Generated, JSONColumnType } from 'kysely';

/** ISO 8601 in UTC as a string, the wire format; may be written as a string or Date. */
export type Timestamp = string;

export interface OrderProductAudit {
  id: Generated<number>;
  orderProductId: number;
  quantity: number;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}

export interface ActualQuantityAudit {
  id: Generated<number>;
  orderProductId: number;
  sortOrder: number;
  /** Null after the unit was removed. */
  actualQuantity: number | null;
  /** Null for the first entry. */
  previousQuantity: number | null;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}

/** A change that re-priced orders: a fee, or a product's price, unit quantity or estimate flag. */
export interface CatalogueAudit {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  productId: number | null;
  feeId: number | null;
  name: string;
  /** The price-relevant fields; null for a new record. */
  before: JSONColumnType<Record<string, unknown>> | null;
  /** Null for a deleted record. */
  after: JSONColumnType<Record<string, unknown>> | null;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}

/** A change of a distribution's name, date or flags. */
export interface DistributionAudit {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  /** The changed fields; null for a new distribution. */
  before: JSONColumnType<Record<string, unknown>> | null;
  after: JSONColumnType<Record<string, unknown>>;
  updatedAt: Generated<Timestamp>;
  /** Null: ordering was closed by the clock. */
  updatedBy: number | null;
}

/** A change of an order's note, pick-up time or picked-up mark. */
export interface OrderAudit {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  orderId: number;
  /** The changed fields. */
  before: JSONColumnType<Record<string, unknown>>;
  after: JSONColumnType<Record<string, unknown>>;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}

type UserAct =
  | 'invite'
  | 'unlock'
  | 'disable'
  | 'enable'
  | 'sign-out'
  | 'mend'
  | 'remove'
  | 'second-factor-on'
  | 'second-factor-off'
  | 'recovery-code'
  | 'require-second-factor'
  | 'release-second-factor';

/** An action on the access of a customer or agent. */
export interface UserAudit {
  id: Generated<number>;
  distributorId: number;
  /** null: customers were removed. */
  userId: number | null;
  act: UserAct;
  /** The address before a correction. */
  previousEmail: string | null;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
  removedCount: number | null;
}

/** What staff corrected in a contact: only the changed fields, '' where a field was or is empty. */
export interface ContactAudit {
  id: Generated<number>;
  distributorId: number;
  userId: number;
  before: JSONColumnType<Record<string, string>>;
  after: JSONColumnType<Record<string, string>>;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}

/** Actions of admins on a distributor's account, and a distributor's changes of their own second factor. */
export interface DistributorAudit {
  id: Generated<number>;
  distributorId: number;
  act: 'disable' | 'enable' | 'sign-out' | 'unlock' | 'second-factor-on' | 'second-factor-off' | 'recovery-code';
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}
