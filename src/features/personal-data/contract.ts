// The calls that export all data about one person as a file (contract §18).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { CUSTOMER_FILE, OWN_FILE } from './texts.ts';

/**
 * Rows as they are stored, without the columns that contain secrets. The schema does not name the columns, so that the file also contains
 * columns that are added to the database later.
 */
const Rows = z.array(z.record(z.string(), z.unknown()));

export const PersonalData = z.object({
  account: Rows,
  contact: Rows,
  contactCorrections: Rows,
  /** What staff and admins did with this person's account. */
  accountChanges: Rows,
  organization: Rows,
  orders: Rows,
  orderLines: Rows,
  weights: Rows,
  payments: Rows,
  quantityChanges: Rows,
  weightChanges: Rows,
  orderChanges: Rows,
  waitingList: Rows,
  /** The tills of the person; empty unless the person is staff and takes payments. */
  tills: Rows,
  emails: Rows,
  joinRequests: Rows,
  unsubscriptions: Rows,
  formerUnsubscribeLinks: Rows,
  sessions: Rows,
  devices: Rows,
  mailedLinks: Rows,
  passkeys: Rows,
  codeApps: Rows,
  recoveryCodes: Rows,
  pendingSignIns: Rows,
  secondFactorSetups: Rows,
  failedSignIns: Rows,
  storedReplies: Rows,
  /** The changes that this person made to data of other people. Each entry only tells which record was changed, and when. */
  changesMade: Rows,
});
export type PersonalData = z.infer<typeof PersonalData>;

export const exportOwnData = endpoint({
  method: 'GET',
  path: '/api/export',
  summary: 'All that is kept about the signed-in person, as one JSON file',
  roles: ['admin', 'distributor', 'agent', 'customer'],
  reply: PersonalData,
  fileName: OWN_FILE,
});

export const exportCustomerData = endpoint({
  method: 'GET',
  path: '/api/users/customer/:userId/export',
  summary: 'All that is kept about one of the own customers, as one JSON file',
  roles: ['distributor'],
  reply: PersonalData,
  fileName: CUSTOMER_FILE,
});
