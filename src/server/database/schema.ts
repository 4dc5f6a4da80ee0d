// Defines the types of rows. It contains the tables that the server reads as whole rows, or whose columns it names. Tables and columns have
// the names of the specification. The tests in test/row-types compare these types with the real database.
import type { TillSums } from '../../domain/counter/till.ts';
import type { Cents } from '../../domain/money.ts';
import type { PaymentMethod } from '../../domain/payment.ts';
import type { Role } from '../../domain/accounts/roles.ts';

/** The form of a timestamp in rows and responses: ISO 8601 in UTC as a string. */
export type Timestamp = string;

/** A calendar date without a time zone, in the form `yyyy-MM-dd`. */
type CalendarDate = string;

interface Users {
  id: number;
  email: string;
  password: string | null;
  /** The table also contains the role 'invented' for the families of rehearsals. Only the queries of a rehearsal return them. */
  role: Role;
  distributorId: number | null;
  loginAttempts: number;
  lockedUntil: Timestamp | null;
  resetPasswordToken: string | null;
  resetPasswordExpires: Timestamp | null;
  lastLoginAt: Timestamp | null;
  createdAt: Timestamp;
  disabledAt: Timestamp | null;
  lastFailureAt: Timestamp | null;
  bulkMailStoppedAt: Timestamp | null;
  unsubscribeToken: string;
  invitationToken: string | null;
  invitationExpires: Timestamp | null;
  /** The time when the customer was removed. A removed customer's row has no name, and has a placeholder instead of the e-mail address. */
  removedAt: Timestamp | null;
  /** The time when a customer created the account through a join link. Null for a person whom the distributor added. */
  joinedAt: Timestamp | null;
  /** Whether the distributor allows this user to record payments. Only agents can have this permission. */
  mayTakePayments: boolean;
  /**
   * Whether the distributor requires a second factor from this user. Only agents can have this duty. Until the agent adds a second factor,
   * the agent can do nothing else.
   */
  requireSecondFactor: boolean;
}

interface Contacts {
  id: number;
  userId: number;
  firstName: string;
  lastName: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  phone: string;
}

interface Distributions {
  id: number;
  distributorId: number;
  name: string;
  date: CalendarDate;
  published: boolean;
  acceptActuals: boolean;
  orderingOpen: boolean;
  catalogueVersion: number;
  /** The product groups in the sequence in which they are shown. Null for alphabetical order. */
  groupOrder: string[] | null;
  opensAt: Timestamp | null;
  closesAt: Timestamp | null;
  /** How many hours before `closesAt` customers without an order get a reminder. Null if no reminders are sent. */
  remindHours: number | null;
  /** The last time when all due reminders had been queued. Null if this has never happened. */
  remindedAt: Timestamp | null;
  /**
   * Whether the distribution is a rehearsal: a copy with invented families to practice on. The value is set when the distribution is
   * created, and never changes.
   */
  rehearsal: boolean;
}

interface Fees {
  id: number;
  distributorId: number;
  distributionId: number;
  name: string;
  type: 'percent' | 'flat';
  sort_order: number;
  /** The amount of a flat fee in cents, or of a percentage fee in basis points. */
  amount: number;
}

interface Products {
  id: number;
  distributorId: number;
  distributionId: number;
  name: string;
  description: string | null;
  unit_price: Cents;
  unit_qty: number;
  uom: string | null;
  unit_qty_is_estimate: boolean;
  /** The maximum quantity per order. With 0 there is no maximum. */
  max_order_qty: number;
  product_group: string | null;
  product_code: number | null;
  /** The maximum number of units in all orders together. Null when there is no limit. */
  total_limit: number | null;
  /** Whether the product is withdrawn. Orders that contain a withdrawn product keep it, and nobody can order more units of it. */
  notOffered: boolean;
  /**
   * What a short delivery changed. Null if no short delivery changed the product. A copy of the distribution gets the values from before
   * the short delivery.
   */
  shortDelivery: { limitBefore: number | null; limit: number | null; isWithdrawn?: boolean } | null;
}

/** Contains the pick-up times of distributions. */
interface Slots {
  id: number;
  distributorId: number;
  distributionId: number;
  label: string;
  startsAt: Timestamp;
  /** The maximum number of orders with this pick-up time. */
  capacity: number;
}

interface Orders {
  id: number;
  distributorId: number;
  distributionId: number;
  customerId: number;
  version: number;
  updatedAt: Timestamp;
  updatedBy: number;
  /** The time when the most recently queued confirmation is due. `confirmVersion` is the order's version after the save that queued it. */
  confirmAt: Timestamp;
  confirmVersion: number;
  note: string | null;
  slotId: number | null;
  pickedUpAt: Timestamp | null;
  pickedUpBy: number | null;
}

interface OrderProducts {
  id: number;
  distributorId: number;
  distributionId: number;
  orderId: number;
  productId: number;
  quantity: number;
  originalQuantity: number;
}

interface Payments {
  id: number;
  distributorId: number;
  distributionId: number;
  orderId: number;
  /** The amount is negative if the row reverses another payment. */
  amount: Cents;
  paymentMethod: PaymentMethod;
  description: string | null;
  feeAmount: Cents;
  createdAt: Timestamp;
  createdBy: number;
  updatedAt: Timestamp;
  updatedBy: number;
  /** The id of the payment that this row reverses. Null if the row is a payment. */
  reversesId: number | null;
  /** The till that was open when the payment was recorded. Null if no till was open. */
  tillId: number | null;
}

/** Contains the tills. A till is closed once, with the expected and the counted sums. Afterwards its row never changes. */
interface Tills {
  id: number;
  distributorId: number;
  distributionId: number;
  userId: number;
  float: Cents;
  openedAt: Timestamp;
  closedAt: Timestamp | null;
  closedBy: number | null;
  expected: TillSums | null;
  counted: TillSums | null;
}

export type MailKind =
  | 'invitation'
  | 'reset'
  | 'exists'
  | 'confirmation'
  | 'bulk'
  | 'test'
  | 'join'
  | 'short-delivery'
  | 'reminder'
  | 'hold';
type MailStatus = 'queued' | 'sending' | 'sent' | 'failed' | 'unknown' | 'suppressed';

interface Emails {
  id: number;
  from: string;
  to: string;
  subject: string;
  html: string;
  response: string | null;
  sentAt: Timestamp | null;
  success: boolean;
  kind: MailKind;
  status: MailStatus;
  distributorId: number | null;
  userId: number | null;
  orderId: number | null;
  replyTo: string | null;
  createdAt: Timestamp;
  attempts: number;
  nextAttemptAt: Timestamp;
  leasedUntil: Timestamp | null;
  /**
   * The distributor whose join link caused a mail of kind 'join', or an invitation of one of this distributor's own people. No
   * distributor's log lists mails of kind 'join'.
   */
  joinDistributorId: number | null;
  /** How many links the client's network had requested, including this one. It is 0 for all other mails. */
  networkRequests: number;
  /** The random part of the Message-ID. Null in mails that a server of an earlier version has queued. */
  messageId: string | null;
  /** The distribution of a reminder. Mails of other kinds do not have this value. */
  distributionId: number | null;
  /** The time when a person last sent the mail again. */
  resentAt: Timestamp | null;
}

interface Devices {
  /** The SHA-256 hash of the cookie's value. */
  tokenHash: string;
  userId: number;
  loginAttempts: number;
  lockedUntil: Timestamp | null;
  lastFailureAt: Timestamp | null;
  usedAt: Timestamp;
}

interface Passkeys {
  id: number;
  userId: number;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  name: string;
  createdAt: Timestamp;
  usedAt: Timestamp | null;
}

interface Rows {
  users: Users;
  contacts: Contacts;
  distributions: Distributions;
  fees: Fees;
  products: Products;
  slots: Slots;
  orders: Orders;
  order_products: OrderProducts;
  payments: Payments;
  tills: Tills;
  emails: Emails;
  devices: Devices;
  passkeys: Passkeys;
}
export type Row<Table extends keyof Rows> = Rows[Table];
