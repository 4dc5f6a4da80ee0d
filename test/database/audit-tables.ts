// The tables in this file record who changed what and when, with the previous value. Triggers limit how many rows one person adds within a
// minute. Otherwise, rows are changed or deleted only when a customer's personal data is erased, or when their rehearsal or distributor is
// deleted.
import type { Generated, JSONColumnType } from 'kysely';
import type { UserAction } from '../../src/features/audit/contract.ts';
import type { DistributorAct, FactorAct } from '../../src/features/distributors/contract.ts';
import type { Timestamp } from '../../src/server/database/schema.ts';

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
  /** The new weight. Null if the weight was removed. */
  actualQuantity: number | null;
  /** The weight before the change. Null for the first entry of a weight. */
  previousQuantity: number | null;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}

/** Records a change that re-priced orders: a change of a fee, or of a product's price, unit quantity or estimate flag. */
export interface CatalogueAudit {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  productId: number | null;
  feeId: number | null;
  name: string;
  /** The fields that affect prices, before the change. Null for a new record. */
  before: JSONColumnType<Record<string, unknown>> | null;
  /** The fields that affect prices, after the change. Null for a deleted record. */
  after: JSONColumnType<Record<string, unknown>> | null;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}

/** Records a change of a distribution's name, date or flags. */
export interface DistributionAudit {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  /** The changed fields before the change. Null for a new distribution. */
  before: JSONColumnType<Record<string, unknown>> | null;
  after: JSONColumnType<Record<string, unknown>>;
  updatedAt: Generated<Timestamp>;
  /** The user who made the change. Null if ordering closed automatically at the closing time. */
  updatedBy: number | null;
}

/** Records a change of an order's note, of its pick-up time, or of whether staff have marked it as picked up. */
export interface OrderAudit {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  orderId: number;
  /** Only the changed fields: `before` has their values before the change, and `after` those after it. */
  before: JSONColumnType<Record<string, unknown>>;
  after: JSONColumnType<Record<string, unknown>>;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}

/** Records an action on the account of a customer or agent, such as disabling it. */
export interface UserAudit {
  id: Generated<number>;
  distributorId: number;
  /** The user whose account was changed. Null when the action removed unused customers. */
  userId: number | null;
  act: UserAction;
  /** The e-mail address before staff corrected it. */
  previousEmail: string | null;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
  removedCount: number | null;
}

/**
 * Records what staff corrected in a contact. A row contains only the changed fields. The value '' means that the field was empty, or is
 * empty now.
 */
export interface ContactAudit {
  id: Generated<number>;
  distributorId: number;
  userId: number;
  before: JSONColumnType<Record<string, string>>;
  after: JSONColumnType<Record<string, string>>;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}

/** Records actions of admins on a distributor's account, and changes that distributors make to their own second factor. */
export interface DistributorAudit {
  id: Generated<number>;
  distributorId: number;
  act: DistributorAct | FactorAct;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}
