// The tables that keep who changed what, when and from what; no row is deleted, and only a trigger changes one: it bounds what one person adds within a minute.
import type { Generated, JSONColumnType } from 'kysely';

/** ISO 8601 UTC text, as it goes over the wire; written as text or Date. */
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
  /** Null where the unit is gone. */
  actualQuantity: number | null;
  /** Null at the first entry. */
  previousQuantity: number | null;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}

/** What has re-priced orders: a fee, or a product's price, quantity per unit or way of being sold. */
export interface CatalogueAudit {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  productId: number | null;
  feeId: number | null;
  name: string;
  /** The deciding fields; null when it is new. */
  before: JSONColumnType<Record<string, unknown>> | null;
  /** Null when it is deleted. */
  after: JSONColumnType<Record<string, unknown>> | null;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}

/** What somebody changed of a distribution itself: its name, its date or a flag. */
export interface DistributionAudit {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  /** The fields that changed; null when it is new. */
  before: JSONColumnType<Record<string, unknown>> | null;
  after: JSONColumnType<Record<string, unknown>>;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}

/** What somebody did to the way in of a customer or an agent. */
export interface UserAudit {
  id: Generated<number>;
  distributorId: number;
  /** null: customers were removed. */
  userId: number | null;
  act: 'invite' | 'unlock' | 'disable' | 'enable' | 'sign-out' | 'mend' | 'remove';
  /** Of an address that was mended. */
  previousEmail: string | null;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
  removedCount: number | null;
}

/** What staff corrected of a contact; only the fields that changed, '' where there was or is nothing. */
export interface ContactAudit {
  id: Generated<number>;
  distributorId: number;
  userId: number;
  before: JSONColumnType<Record<string, string>>;
  after: JSONColumnType<Record<string, string>>;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}

/** What an admin did to the access of a distributor. */
export interface DistributorAudit {
  id: Generated<number>;
  distributorId: number;
  act: 'disable' | 'enable' | 'sign-out' | 'unlock';
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}
