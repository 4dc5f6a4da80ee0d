import { DAY, HOUR } from '../../domain/durations.ts';
import type { Db } from '../../server/database/db.ts';
import { on, onPublic, type Route } from '../../server/http/pipeline/route.ts';
import { networkOf, siteOf, siteOrAddressOf } from '../../server/auth/network.ts';
import { countJoinInvitations } from '../../server/auth/reset-requests.ts';
import { transactionPerAccount } from '../../server/auth/sign-in-attempts.ts';
import { countedMailboxOf, isLargeProvider } from '../../server/mail/mailbox.ts';
import { enqueue } from '../../server/mail/outbox.ts';
import { withMinimumDuration } from '../../server/auth/minimum-duration.ts';
import { findAccount } from '../auth/queries.ts';
import { isRequestedLinkAboveCap } from '../emails/queries.ts';
import { isJoinLimitReached, mailLink } from '../mailed-links/queries.ts';
import { findJoined } from '../organization/queries.ts';
import { isUnconfirmedElsewhere } from '../unused-customers/queries.ts';
import {
  clearJoinRequests,
  MANY_JOIN_MAILS_PER_DAY,
  MANY_OPEN_REQUESTS,
  MAX_JOIN_MAILS_PER_DAY,
  MAX_JOIN_REQUESTS,
  MAX_OPEN_OF_DOMAIN,
  MAX_OPEN_OF_DOMAIN_PER_NETWORK,
  MAX_OPEN_WHEN_MANY_OPEN,
  MAX_PER_NETWORK,
  MAX_PER_SITE,
  readJoinRequests,
  register,
} from './contract.ts';
import {
  countJoinMails,
  countOfNetwork,
  countOpenRequests,
  endJoinRequests,
  findJoinRequests,
  QUARTER_HOUR,
  saveJoinRequest,
} from './queries.ts';
import { JOIN_ANSWER } from './texts.ts';

interface JoinRequest {
  readonly email: string;
  readonly code: string;
  readonly address: string;
  readonly now: Date;
}

type JoinLinkUse = Pick<JoinRequest, 'address' | 'now'> & { readonly distributorId: number };

/**
 * Counts this use of the join link. Returns how often the client's site has used the link within the current 15 minutes. An IPv4 client has
 * no site, so the count of its network is returned. Returns null above the limits.
 */
async function countUses(db: Db, { distributorId, address, now }: JoinLinkUse): Promise<number | null> {
  const ofNetwork = await countOfNetwork(db, { distributorId, network: networkOf(address), now, period: QUARTER_HOUR });
  // A use above the limit of its network is not counted for the site, so that one network cannot use up the limit of its whole site.
  if (ofNetwork > MAX_PER_NETWORK) return null;
  const site = siteOf(address);
  if (site === null) return ofNetwork;
  const ofSite = await countOfNetwork(db, { distributorId, network: site, now, period: QUARTER_HOUR });
  return ofSite > MAX_PER_SITE ? null : ofSite;
}

/** Whether the limits allow a join mail to this person, whose request may have to be added. */
async function mayMail(db: Db, { distributorId, address, now, email }: JoinLinkUse & Pick<JoinRequest, 'email'>): Promise<boolean> {
  const mails = await countJoinMails(db, distributorId, now);
  if (mails >= MAX_JOIN_MAILS_PER_DAY) return false;
  const request = { distributorId, email, network: siteOrAddressOf(address) };
  const open = await countOpenRequests(db, { ...request, since: new Date(now.getTime() - HOUR) });
  if (open.isOpen) return true;
  const ofNetwork = siteOf(address) === null ? MAX_PER_NETWORK : MAX_PER_SITE;
  const most = open.total >= MANY_OPEN_REQUESTS ? MAX_OPEN_WHEN_MANY_OPEN : ofNetwork;
  if (open.total >= MAX_JOIN_REQUESTS || open.ofNetwork >= most) return false;
  const isOfMany = open.ofDomain >= MAX_OPEN_OF_DOMAIN || open.ofDomainAndNetwork >= MAX_OPEN_OF_DOMAIN_PER_NETWORK;
  if (isOfMany && !isLargeProvider(email.split('@')[1] ?? '')) return false;
  if (mails < MANY_JOIN_MAILS_PER_DAY) return true;
  const ofDay = await countOpenRequests(db, { ...request, since: new Date(now.getTime() - DAY) });
  return ofDay.ofNetwork < MAX_OPEN_WHEN_MANY_OPEN;
}

/** Whether the limits of the distributor allow another invitation through its join link. */
async function mayInvite(db: Db, { distributorId, uses, now }: { distributorId: number; uses: number; now: Date }): Promise<boolean> {
  const recent = await countJoinInvitations(db, distributorId, now);
  if (recent >= MAX_JOIN_REQUESTS || (recent >= MANY_OPEN_REQUESTS && uses > MAX_OPEN_WHEN_MANY_OPEN)) return false;
  return !(await isRequestedLinkAboveCap(db, distributorId, now));
}

/**
 * Mails another invitation to a person of this distributor who has no password yet. The owner of any other account gets a notice that the
 * account exists.
 */
async function mailToOwner(
  db: Db,
  account: NonNullable<Awaited<ReturnType<typeof findAccount>>>,
  { distributorId, uses, now }: { distributorId: number; uses: number; now: Date },
): Promise<void> {
  const cause = { now, networkRequests: uses };
  if (account.password !== null || account.distributorId !== distributorId) return await mailLink(db, 'exists', account, cause);
  if (await mayInvite(db, { distributorId, uses, now }))
    await mailLink(db, 'invitation', account, { ...cause, joinDistributorId: distributorId });
}

/**
 * Mails the link with which a customer creates an account. If the e-mail address has an account already, its owner gets a notice instead.
 * An unconfirmed account at another distributor does not count as an account (decision 24).
 */
async function requestJoin(db: Db, { email, code, address, now }: JoinRequest): Promise<void> {
  const distributorId = await findJoined(db, code);
  if (distributorId === null) return;
  const use = { distributorId, address, now };
  // Uses are counted before the transaction begins. In a flood, many requests wait for the lock on the row of their network, and an open
  // transaction would occupy a database connection during that time.
  const uses = await countUses(db, use);
  // A request above the limits may be part of a flood, and gets no mail.
  if (uses === null) return;
  // The requests for one mailbox run one after the other, so that their mails are counted correctly. While they wait for the lock on the
  // account's row, they occupy only one database connection together.
  await transactionPerAccount(db, `join ${countedMailboxOf(email)}`, async (db) => {
    const account = await findAccount(db, email);
    if (account && !(await isUnconfirmedElsewhere(db, email, distributorId))) {
      if (account.disabledAt === null) await mailToOwner(db, account, { distributorId, uses, now });
      return;
    }
    if (!(await mayMail(db, { ...use, email }))) return;
    const request = { distributorId, network: siteOrAddressOf(address), now };
    await saveJoinRequest(db, { ...request, email });
    if (await isJoinLimitReached(db, email, request)) return;
    await enqueue(db, { kind: 'join', to: email, joinDistributorId: distributorId, at: now, networkRequests: uses });
  });
}

export const joinRequestsRoutes: Route[] = [
  onPublic(register, async ({ db, body, now, address }) => {
    await withMinimumDuration(requestJoin(db, { ...body, address, now }));
    return { message: JOIN_ANSWER };
  }),

  on(readJoinRequests, ({ db, viewer, now }) => findJoinRequests(db, viewer.tenantId, now)),

  on(clearJoinRequests, async ({ db, viewer, now }) => {
    await endJoinRequests(db, viewer.tenantId, now);
  }),
];
