// Contains a type for every table of spec §3. Tables and columns have the names of the specification. The tests in test/row-types compare
// these types with the real database.
import type { Generated, GeneratedAlways, Insertable, Selectable } from 'kysely';
import type { Cents } from '../../domain/money.ts';
import type { Role } from '../../domain/accounts/roles.ts';
import type {
  ActualQuantityAudit,
  CatalogueAudit,
  ContactAudit,
  DistributionAudit,
  DistributorAudit,
  OrderAudit,
  OrderProductAudit,
  Timestamp,
  UserAudit,
} from './audit-schema.ts';
import type { ActualQuantities, OrderProducts, Orders, Payments, Slots, WaitingList, Tills } from './order-schema.ts';
import type { CustomerUploads, ProductUploads } from './upload-schema.ts';
import type {
  CodeApps,
  Devices,
  NetworkAttempts,
  Passkeys,
  PendingSignIns,
  RecoveryCodes,
  ReplacedLinks,
  SecondFactorSetups,
  SessionStore,
  SignInAddresses,
  UnknownSignIns,
} from './auth-schema.ts';

/** A calendar date without a time zone, in the form `yyyy-MM-dd`. */
type CalendarDate = string;

interface Users {
  id: Generated<number>;
  email: string;
  password: string | null;
  /** The table also contains the role 'invented' for the families of rehearsals. No query for people returns these rows. */
  role: Role;
  distributorId: number | null;
  loginAttempts: Generated<number>;
  lockedUntil: Timestamp | null;
  resetPasswordToken: string | null;
  resetPasswordExpires: Timestamp | null;
  lastLoginAt: Timestamp | null;
  createdAt: Generated<Timestamp>;
  disabledAt: Timestamp | null;
  lastFailureAt: Timestamp | null;
  bulkMailStoppedAt: Timestamp | null;
  unsubscribeToken: Generated<string>;
  invitationToken: string | null;
  invitationExpires: Timestamp | null;
  /** The time when the customer was removed. A removed customer's row has no name, and has a placeholder instead of the e-mail address. */
  removedAt: Timestamp | null;
  /** Whether the distributor allows this user to record payments. Only agents can have this permission. */
  mayTakePayments: Generated<boolean>;
  /**
   * Whether the distributor requires a second factor from this user. Only agents can have this duty. Until the agent adds a second factor,
   * the agent can do nothing else.
   */
  requireSecondFactor: Generated<boolean>;
}

interface Contacts {
  id: Generated<number>;
  userId: number;
  firstName: Generated<string>;
  lastName: Generated<string>;
  address: Generated<string>;
  city: Generated<string>;
  state: Generated<string>;
  zip: Generated<string>;
  phone: Generated<string>;
}

interface Distributions {
  id: Generated<number>;
  distributorId: number;
  name: string;
  date: CalendarDate;
  published: Generated<boolean>;
  acceptActuals: Generated<boolean>;
  orderingOpen: Generated<boolean>;
  catalogueVersion: Generated<number>;
  /** The product groups in the sequence in which they are shown. Null for alphabetical order. */
  groupOrder: string[] | null;
  opensAt: Timestamp | null;
  closesAt: Timestamp | null;
  /** How many hours before `closesAt` customers without an order get a reminder. Null if no reminders are sent. */
  remindHours: number | null;
  /** The time when the last of the due reminders was queued. */
  remindedAt: Timestamp | null;
  /**
   * Whether the distribution is a rehearsal: a copy with invented families to practice on. The value is set when the distribution is
   * created, and never changes.
   */
  rehearsal: Generated<boolean>;
}

interface Fees {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  name: string;
  type: 'percent' | 'flat';
  sort_order: Generated<number>;
  /** The amount of a flat fee in cents, or of a percentage fee in basis points. */
  amount: number;
}

interface Products {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  name: string;
  description: string | null;
  unit_price: Generated<Cents>;
  unit_qty: Generated<number>;
  uom: string | null;
  unit_qty_is_estimate: Generated<boolean>;
  /** The maximum quantity per order. With 0 there is no maximum. */
  max_order_qty: Generated<number>;
  product_group: string | null;
  product_code: number | null;
  /** The maximum number of units in all orders together. Null when there is no limit. */
  total_limit: number | null;
  /** Whether the product is withdrawn. Orders that contain a withdrawn product keep it, and nobody can order more units of it. */
  notOffered: Generated<boolean>;
}

/** This table has a single row with the state of automatic backups. */
interface LastBackup {
  id: Generated<number>;
  startedAt: Timestamp;
  finishedAt: Timestamp | null;
  bytes: number | null;
  kept: Generated<number>;
  error: 'full' | 'denied' | 'other' | null;
  copiedAt: Timestamp | null;
  copyTriedAt: Timestamp | null;
  copyError: 'failed' | 'timeout' | null;
  drillStartedAt: Timestamp | null;
  /** The time of the last restore drill that succeeded. */
  drilledAt: Timestamp | null;
  drillRows: number | null;
  drillError: 'denied' | 'differs' | 'other' | null;
}

interface ProductImages {
  distributorId: number;
  product_code: number;
  image: Buffer;
  hash: string;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
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
  id: Generated<number>;
  from: string;
  to: string;
  subject: string;
  html: string;
  response: string | null;
  sentAt: Timestamp | null;
  success: Generated<boolean>;
  kind: Generated<MailKind>;
  status: Generated<MailStatus>;
  distributorId: number | null;
  userId: number | null;
  orderId: number | null;
  replyTo: string | null;
  createdAt: Generated<Timestamp>;
  attempts: Generated<number>;
  nextAttemptAt: Generated<Timestamp>;
  leasedUntil: Timestamp | null;
  /** The distributor whose join link caused a mail of kind 'join'. No distributor's log lists such a mail. */
  joinDistributorId: number | null;
  /** The distribution of a reminder. Mails of other kinds do not have this value. */
  distributionId: number | null;
}

interface Organizations {
  distributorId: number;
  name: Generated<string>;
  address: Generated<string>;
  city: Generated<string>;
  state: Generated<string>;
  zip: Generated<string>;
  phone: Generated<string>;
  joinCode: string | null;
  /** An IANA name. */
  timeZone: string | null;
}

interface JoinRequests {
  id: Generated<number>;
  distributorId: number;
  email: string;
  /** The SHA-256 hashes of the tokens in the mailed links. */
  tokens: Generated<string[]>;
  requestedAt: Generated<Timestamp>;
  expiresAt: Timestamp;
}

interface JoinNetworks {
  distributorId: number;
  network: string;
  requests: number;
  windowStart: Timestamp;
}

interface IdempotencyKeys {
  userId: number;
  key: string;
  bodyHash: string;
  status: number | null;
  reply: string | null;
  createdAt: Generated<Timestamp>;
}

interface Migrations {
  name: GeneratedAlways<string>;
  appliedAt: Generated<Timestamp>;
}

export interface Tables {
  users: Users;
  contacts: Contacts;
  distributions: Distributions;
  fees: Fees;
  products: Products;
  slots: Slots;
  waiting_list: WaitingList;
  orders: Orders;
  order_products: OrderProducts;
  order_product_audit: OrderProductAudit;
  actual_quantities: ActualQuantities;
  actual_quantity_audit: ActualQuantityAudit;
  catalogue_audit: CatalogueAudit;
  distribution_audit: DistributionAudit;
  order_audit: OrderAudit;
  user_audit: UserAudit;
  contact_audit: ContactAudit;
  distributor_audit: DistributorAudit;
  last_backup: LastBackup;
  product_images: ProductImages;
  product_uploads: ProductUploads;
  customer_uploads: CustomerUploads;
  payments: Payments;
  tills: Tills;
  emails: Emails;
  organizations: Organizations;
  unknown_sign_ins: UnknownSignIns;
  sign_in_addresses: SignInAddresses;
  network_attempts: NetworkAttempts;
  join_requests: JoinRequests;
  join_networks: JoinNetworks;
  session_store: SessionStore;
  devices: Devices;
  replaced_links: ReplacedLinks;
  passkeys: Passkeys;
  code_apps: CodeApps;
  recovery_codes: RecoveryCodes;
  pending_sign_ins: PendingSignIns;
  second_factor_setups: SecondFactorSetups;
  idempotency_keys: IdempotencyKeys;
  migrations: Migrations;
}

type Rows = { readonly [Table in keyof Tables]: Selectable<Tables[Table]> };
export type Row<Table extends keyof Tables> = Rows[Table];
export type NewRow<Table extends keyof Tables> = Insertable<Tables[Table]>;
