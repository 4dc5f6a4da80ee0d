// Contains the types of all tables for the query builder of the tests. The types of the rows that the server reads are in
// src/server/database/schema.ts; this file adds the other tables, and says which columns have defaults. row-types.test.ts compares all
// types with the real database.
import type { ColumnType, Generated, GeneratedAlways, Insertable, JSONColumnType, Selectable } from 'kysely';
import type { Row as ServerRow, Timestamp } from '../../src/server/database/schema.ts';
import type {
  ActualQuantityAudit,
  CatalogueAudit,
  ContactAudit,
  DistributionAudit,
  DistributorAudit,
  OrderAudit,
  OrderProductAudit,
  UserAudit,
} from './audit-tables.ts';
import type {
  CodeApps,
  NetworkAttempts,
  PendingSignIns,
  RecoveryCodes,
  ReplacedLinks,
  SecondFactorSetups,
  SessionStore,
  SignInAddresses,
  UnknownSignIns,
} from './sign-in-tables.ts';

/** A table with the columns of `Columns`. An insert may omit the columns `Defaults`, and the columns `Json` are inserted as JSON text. */
type Table<Columns, Defaults extends keyof Columns, Json extends keyof Columns = never> = {
  [Name in keyof Columns]: Name extends Json
    ? ColumnType<Columns[Name], string | null | undefined, string | null>
    : Name extends Defaults
      ? Generated<Columns[Name]>
      : Columns[Name];
};

interface WaitingList {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  productId: number;
  customerId: number;
  quantity: number;
  /** The number of units that are held for the customer until `heldUntil`. */
  heldQuantity: Generated<number>;
  heldUntil: Timestamp | null;
  /**
   * The time when units began to be held for the customer. It only has a meaning while `heldUntil` is not null. When further units are
   * held, the 12 hours of the hold do not start again.
   */
  heldSince: Timestamp | null;
  createdAt: Generated<Timestamp>;
}

interface ActualQuantities {
  id: Generated<number>;
  orderProductId: number;
  sortOrder: number;
  /** The weight has at most three decimals. */
  actualQuantity: number;
  updatedAt: Generated<Timestamp>;
  updatedBy: number;
  confirmedProductId: Generated<number | null>;
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
  /**
   * The time since which no product of the distributor has the picture's product code. Null while a product has this code. The hourly
   * cleanup sets this time.
   */
  unusedSince: Timestamp | null;
}

interface ProductUploads {
  id: Generated<number>;
  distributorId: number;
  distributionId: number;
  startedAt: Generated<Timestamp>;
  updatedBy: number;
  before: JSONColumnType<Record<string, unknown>[]>;
  finishedAt: Timestamp | null;
  changes: JSONColumnType<Record<string, unknown>[]> | null;
  undoneAt: Timestamp | null;
  productIds: number[] | null;
  productHashes: number[] | null;
  writtenAt: Timestamp | null;
  writes: Generated<number>;
}

interface ProductUploadWrites {
  uploadId: number;
  productId: number;
  hash: number;
  before: JSONColumnType<object | null> | null;
}

interface CustomerUploads {
  id: Generated<number>;
  distributorId: number;
  startedAt: Generated<Timestamp>;
  updatedBy: number;
  userIds: Generated<number[]>;
  finishedAt: Timestamp | null;
  undoneAt: Timestamp | null;
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
  /** The IANA name of the time zone, such as America/New_York. */
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
  network: string | null;
}

interface JoinNetworks {
  distributorId: number;
  network: string;
  requests: number;
  windowStart: Timestamp;
}

interface SavedRows {
  userId: number;
  ofAllStaff: boolean;
  rows: number;
  countedAt: Timestamp;
}

interface ResetNetworks {
  network: string;
  requests: number;
  windowStart: Timestamp;
}

interface FormerUnsubscribeLinks {
  token: string;
  distributorId: number;
  mailboxHash: string;
}

interface ErasedRecipients {
  mailId: number;
  addressHash: string;
  mailboxHash: string;
  erasedAt: Timestamp;
  htmlBytes: Generated<number>;
}

interface Unsubscriptions {
  distributorId: number;
  mailboxHash: string;
  stoppedAt: Timestamp;
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
  users: Table<ServerRow<'users'>, 'id' | 'loginAttempts' | 'createdAt' | 'unsubscribeToken' | 'mayTakePayments' | 'requireSecondFactor'>;
  contacts: Table<ServerRow<'contacts'>, 'id' | 'firstName' | 'lastName' | 'address' | 'city' | 'state' | 'zip' | 'phone'>;
  distributions: Table<
    ServerRow<'distributions'>,
    'id' | 'published' | 'acceptActuals' | 'orderingOpen' | 'catalogueVersion' | 'rehearsal'
  >;
  fees: Table<ServerRow<'fees'>, 'id' | 'sort_order'>;
  products: Table<ServerRow<'products'>, 'id' | 'unit_price' | 'unit_qty' | 'unit_qty_is_estimate' | 'max_order_qty' | 'notOffered'>;
  slots: Table<ServerRow<'slots'>, 'id'>;
  waiting_list: WaitingList;
  orders: Table<ServerRow<'orders'>, 'id' | 'version' | 'updatedAt' | 'confirmAt' | 'confirmVersion'>;
  order_products: Table<ServerRow<'order_products'>, 'id'>;
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
  product_upload_writes: ProductUploadWrites;
  customer_uploads: CustomerUploads;
  payments: Table<ServerRow<'payments'>, 'id' | 'feeAmount' | 'createdAt' | 'updatedAt'>;
  tills: Table<ServerRow<'tills'>, 'id' | 'openedAt', 'expected' | 'counted'>;
  emails: Table<ServerRow<'emails'>, 'id' | 'success' | 'kind' | 'status' | 'createdAt' | 'attempts' | 'nextAttemptAt' | 'networkRequests'>;
  organizations: Organizations;
  unknown_sign_ins: UnknownSignIns;
  sign_in_addresses: SignInAddresses;
  network_attempts: NetworkAttempts;
  join_requests: JoinRequests;
  join_networks: JoinNetworks;
  reset_networks: ResetNetworks;
  saved_rows: SavedRows;
  erased_recipients: ErasedRecipients;
  former_unsubscribe_links: FormerUnsubscribeLinks;
  unsubscriptions: Unsubscriptions;
  session_store: SessionStore;
  devices: Table<ServerRow<'devices'>, 'loginAttempts' | 'usedAt'>;
  replaced_links: ReplacedLinks;
  passkeys: Table<ServerRow<'passkeys'>, 'id' | 'counter' | 'transports' | 'createdAt'>;
  code_apps: CodeApps;
  recovery_codes: RecoveryCodes;
  pending_sign_ins: PendingSignIns;
  second_factor_setups: SecondFactorSetups;
  idempotency_keys: IdempotencyKeys;
  migrations: Migrations;
}

type Rows = { readonly [Name in keyof Tables]: Selectable<Tables[Name]> };
export type Row<Name extends keyof Tables> = Rows[Name];
export type NewRow<Name extends keyof Tables> = Insertable<Tables[Name]>;
