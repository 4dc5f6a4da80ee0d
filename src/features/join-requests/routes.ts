import type { Db } from '../../server/database/db.ts';
import { on, onPublic, type Route } from '../../server/http/pipeline/route.ts';
import { networkOf, siteOf, siteOrAddressOf } from '../../server/auth/network.ts';
import { judgeSignIn } from '../../server/auth/sign-in-attempts.ts';
import { mailboxOf } from '../../server/mail/mailbox.ts';
import { enqueue } from '../../server/mail/outbox.ts';
import { withMinimumDuration } from '../../server/auth/minimum-duration.ts';
import { findAccount, isJoinLimitReached, mailLink } from '../auth/queries.ts';
import { findJoined } from '../organization/queries.ts';
import { isUnconfirmedElsewhere } from '../unused-customers/queries.ts';
import {
  clearJoinRequests,
  MANY_OPEN_REQUESTS,
  MAX_JOIN_REQUESTS,
  MAX_OPEN_WHEN_MANY_OPEN,
  MAX_PER_NETWORK,
  MAX_PER_SITE,
  readJoinRequests,
  register,
} from './contract.ts';
import { countOfNetwork, countOpenRequests, deleteJoinRequests, findJoinRequests, saveJoinRequest } from './queries.ts';
import { JOIN_ANSWER } from './texts.ts';

interface JoinRequest {
  readonly email: string;
  readonly code: string;
  readonly address: string;
  readonly now: Date;
}

/**
 * The number of requests from one network or site whose mails are sent at once. The mails of further requests are sent at intervals, so
 * that they hardly delay the mails of other networks.
 */
const AT_ONCE = 20;
const MAIL_INTERVAL = 200;

type JoinLinkUse = Pick<JoinRequest, 'address' | 'now'> & { readonly distributorId: number };

/**
 * Counts this use of the join link. Returns how often the client's site has used the link within the current 15 minutes. An IPv4 client has
 * no site, so the count of its network is returned. Returns null above the limits.
 */
async function countUses(db: Db, { distributorId, address, now }: JoinLinkUse): Promise<number | null> {
  const ofNetwork = await countOfNetwork(db, { distributorId, network: networkOf(address), now });
  // A use above the limit of its network is not counted for the site, so that one network cannot use up the limit of its whole site.
  if (ofNetwork > MAX_PER_NETWORK) return null;
  const site = siteOf(address);
  if (site === null) return ofNetwork;
  const ofSite = await countOfNetwork(db, { distributorId, network: site, now });
  return ofSite > MAX_PER_SITE ? null : ofSite;
}

/** Whether the limits of open requests allow the client's network or site another one. */
async function mayAddRequest(db: Db, { distributorId, address, now }: JoinLinkUse): Promise<boolean> {
  const { total, ofNetwork } = await countOpenRequests(db, { distributorId, network: siteOrAddressOf(address), now });
  if (total >= MAX_JOIN_REQUESTS) return false;
  const most = siteOf(address) === null ? MAX_PER_NETWORK : MAX_PER_SITE;
  return ofNetwork < (total >= MANY_OPEN_REQUESTS ? MAX_OPEN_WHEN_MANY_OPEN : most);
}

/**
 * Returns when the mail of this request is to be sent. Returns null for a request above the limits: it may be part of a flood, and gets no
 * mail.
 */
async function dueTime(db: Db, use: JoinLinkUse): Promise<Date | null> {
  const uses = await countUses(db, use);
  if (uses === null || !(await mayAddRequest(db, use))) return null;
  return new Date(use.now.getTime() + Math.max(0, uses - AT_ONCE) * MAIL_INTERVAL);
}

/**
 * Mails another invitation to a person of this distributor who has no password yet. The owner of any other account gets a notice that the
 * account exists.
 */
async function mailToOwner(
  db: Db,
  account: NonNullable<Awaited<ReturnType<typeof findAccount>>>,
  { distributorId, now }: { distributorId: number; now: Date },
): Promise<void> {
  if (account.password !== null || account.distributorId !== distributorId) return await mailLink(db, 'exists', account, { now });
  await mailLink(db, 'invitation', account, { now, joinDistributorId: distributorId });
}

/**
 * Mails the link with which a customer creates an account. If the e-mail address has an account already, its owner gets a notice instead.
 * An unconfirmed account at another distributor does not count as an account (decision 24).
 */
async function requestJoin(db: Db, { email, code, address, now }: JoinRequest): Promise<void> {
  const distributorId = await findJoined(db, code);
  // Uses are counted before the transaction begins. In a flood, many requests wait for the lock on the row of their network, and an open
  // transaction would occupy a database connection during that time.
  const dueAt = distributorId === null ? null : await dueTime(db, { distributorId, address, now });
  if (distributorId === null || dueAt === null) return;
  // The requests for one mailbox run one after the other, so that their mails are counted correctly. While they wait for the lock on the
  // account's row, they occupy only one database connection together.
  await judgeSignIn(db, `join ${mailboxOf(email)}`, async (db) => {
    const account = await findAccount(db, email);
    if (account && !(await isUnconfirmedElsewhere(db, email, distributorId))) {
      if (account.disabledAt === null) await mailToOwner(db, account, { distributorId, now });
      return;
    }
    await saveJoinRequest(db, { distributorId, email, network: siteOrAddressOf(address), now });
    if (await isJoinLimitReached(db, email, { distributorId, now })) return;
    await enqueue(db, { kind: 'join', to: email, joinDistributorId: distributorId, at: now, dueAt });
  });
}

export const joinRequestsRoutes: Route[] = [
  onPublic(register, async ({ db, body, now, address }) => {
    await withMinimumDuration(requestJoin(db, { ...body, address, now }));
    return { message: JOIN_ANSWER };
  }),

  on(readJoinRequests, ({ db, viewer, now }) => findJoinRequests(db, viewer.tenantId, now)),

  on(clearJoinRequests, async ({ db, viewer }) => {
    await deleteJoinRequests(db, viewer.tenantId);
  }),
];
