// The tables in this file contain orders with their lines, weights and payments, and the pick-up times and waiting lists that limit orders.
import type { Generated, JSONColumnType } from 'kysely';
import type { Cents } from '../../domain/money.ts';
import type { PaymentMethod } from '../../domain/payment.ts';
import type { Timestamp } from './audit-schema.ts';

/** Contains the pick-up times of distributions. */
export interface Slots {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  label: string;
  startsAt: Timestamp;
  /** The maximum number of orders with this pick-up time. */
  capacity: number;
}

export interface WaitingList {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  productId: number;
  customerId: number;
  quantity: number;
  /** The number of units that are held for the customer until `heldUntil`. */
  heldQuantity: Generated<number>;
  heldUntil: Timestamp | null;
  /** When units began to be held. Has a meaning only while `heldUntil` is not null. Further units do not restart the 12 hours of a hold. */
  heldSince: Timestamp | null;
  createdAt: Generated<Timestamp>;
}

export interface Orders {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  customerId: number;
  version: Generated<number>;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
  /** The time when the most recently queued confirmation is due. `confirmVersion` is the order's version after the save that queued it. */
  confirmAt: Generated<Timestamp>;
  confirmVersion: Generated<number>;
  note: string | null;
  slotId: number | null;
  pickedUpAt: Timestamp | null;
  pickedUpBy: number | null;
}

export interface OrderProducts {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  orderId: number;
  productId: number;
  quantity: number;
  originalQuantity: number;
}

export interface ActualQuantities {
  id: Generated<number>;
  orderProductId: number;
  sortOrder: number;
  /** The weight has at most three decimals. */
  actualQuantity: number;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}

export interface Payments {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  orderId: number;
  /** The amount is negative if the row reverses another payment. */
  amount: Cents;
  paymentMethod: PaymentMethod;
  description: string | null;
  feeAmount: Generated<Cents>;
  createdAt: Generated<Timestamp>;
  createdBy: number;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
  /** The id of the payment that this row reverses. Null if the row is a payment. */
  reversesId: number | null;
  /** The till that was open when the payment was recorded. Null if no till was open. */
  tillId: number | null;
}

interface TillSums {
  readonly cash: Cents;
  readonly check: Cents;
  readonly card: Cents;
  readonly other: Cents;
}

/** Contains the tills. A till is closed once, with the expected and the counted sums. Afterwards its row never changes. */
export interface Tills {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  userId: number;
  float: Cents;
  openedAt: Generated<Timestamp>;
  closedAt: Timestamp | null;
  closedBy: number | null;
  expected: JSONColumnType<TillSums> | null;
  counted: JSONColumnType<TillSums> | null;
}
