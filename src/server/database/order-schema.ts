// Orders with their lines, weights and payments, and the pick-up times and waiting lists that limit them.
import type { Generated, JSONColumnType } from 'kysely';
import type { Cents } from '../../domain/money.ts';
import type { PaymentMethod } from '../../domain/payment.ts';
import type { Timestamp } from './audit-schema.ts';

/** A pick-up time of a distribution. */
export interface Slots {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  label: string;
  startsAt: Timestamp;
  /** The maximum number of orders. */
  capacity: number;
}

export interface WaitingList {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  productId: number;
  customerId: number;
  quantity: number;
  /** The units that are held for the customer until `heldUntil`. */
  heldQuantity: Generated<number>;
  heldUntil: Timestamp | null;
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
  /** The due time of the last confirmation, and the order version that it reports. */
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
  /** At most three decimals. */
  actualQuantity: number;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
}

export interface Payments {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  orderId: number;
  /** Negative in a reversal. */
  amount: Cents;
  paymentMethod: PaymentMethod;
  description: string | null;
  feeAmount: Generated<Cents>;
  createdAt: Generated<Timestamp>;
  createdBy: number;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
  /** The payment that this row reverses. */
  reversesId: number | null;
  /** The till that was open when the payment was recorded. */
  tillId: number | null;
}

interface TillSums {
  readonly cash: Cents;
  readonly check: Cents;
  readonly card: Cents;
  readonly other: Cents;
}

/** A till is closed once, with the expected and the counted sums, and then never changes. */
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
