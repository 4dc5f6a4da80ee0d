// The calls for joining a distributor through its join link (contract §3).
import * as z from 'zod/mini';
import { JOIN_LINK_DAYS } from '../../domain/accounts/account.ts';
import { numberText } from '../../shared/counted.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Email, Id, text } from '../../shared/fields.ts';
import {
  Message,
  MAX_INVITATIONS_OF_ALL_PER_DAY,
  MAX_INVITATIONS_PER_DAY,
  MAX_LINKS_OF_SIMILAR_PER_DAY,
  MAX_LINKS_PER_HOUR,
} from '../auth/contract.ts';

/**
 * The maximum number of unconfirmed join requests per distributor and hour: enough for a hall full of people, but too few for a flood of
 * mails. It is also the maximum number of invitations per hour that the join link causes to customers of the distributor, and these have the
 * lower limit of each network from MANY_OPEN_REQUESTS on.
 */
export const MAX_JOIN_REQUESTS = 2000;
/**
 * The maximum number of uses of one join link within 15 minutes from one network (an IPv4 address or an IPv6 /64). It is high, because all
 * people in a hall may share one IP address. It is also the maximum number of open requests of one IPv4 address within an hour. An open
 * request is one whose mailed link was not followed yet. This maximum is below MANY_OPEN_REQUESTS, which one address alone therefore cannot
 * reach.
 */
export const MAX_PER_NETWORK = 300;
/**
 * Like MAX_PER_NETWORK, but for all addresses of one IPv6 site (/56) together. A site contains 256 networks (/64). One site alone cannot
 * reach MANY_OPEN_REQUESTS, which is twice as high.
 */
export const MAX_PER_SITE = 500;
/**
 * When a distributor has this many open requests of the last hour, each IPv4 address and each site may have only MAX_OPEN_WHEN_MANY_OPEN of
 * them. A flood from a few networks then leaves room for others. People in a hall can still join one after the other, because each followed
 * link makes room for another request.
 */
export const MANY_OPEN_REQUESTS = 1000;
export const MAX_OPEN_WHEN_MANY_OPEN = 20;
/**
 * The maximum number of open requests of the last hour whose e-mail addresses have the same domain, from one IPv4 address or IPv6 site (/56)
 * and in all. It does not apply to large providers. The mails to all addresses of any other domain may reach one person.
 */
export const MAX_OPEN_OF_DOMAIN_PER_NETWORK = 20;
export const MAX_OPEN_OF_DOMAIN = 100;

/**
 * The maximum number of customers who can join a distributor within a day: twice the families of the largest distribution. Removed ones
 * count.
 */
export const MAX_JOINED_PER_DAY = 10_000;
/**
 * The maximum number of join mails that a distributor's join link causes within a day: as many as people can join. Above half of it, each
 * IPv4 address and each site may have only MAX_OPEN_WHEN_MANY_OPEN open requests of the last day.
 */
export const MAX_JOIN_MAILS_PER_DAY = 10_000;
export const MANY_JOIN_MAILS_PER_DAY = MAX_JOIN_MAILS_PER_DAY / 2;
/** The maximum number of customers of a distributor who have joined through its join link. Removed and disabled ones do not count. */
export const MAX_JOINED = 50_000;
/**
 * The maximum number of customers who can join a distributor within an hour from one IPv4 address or IPv6 site (/56). In 24 hours, these
 * are fewer than MAX_JOINED_PER_DAY, so one network alone cannot keep everybody else from joining.
 */
export const MAX_JOINED_PER_NETWORK = 400;

const LIMITS = [
  `At most ${MAX_LINKS_PER_HOUR} links an hour and ${MAX_INVITATIONS_PER_DAY} a day are mailed to one mailbox (addresses that differ only in a +suffix, or in ".", "-" or "_", share one).`,
  `Above this, a distributor that has mailed no link within the day to this address, without a +suffix and other characters that its provider ignores, mails one more, up to ${MAX_INVITATIONS_OF_ALL_PER_DAY} a day in all.`,
  `Unless the domain belongs to a large provider, only networks whose requests have caused no mail to a similar address do so, up to ${MAX_LINKS_OF_SIMILAR_PER_DAY} a day to all similar addresses.`,
  `At most ${MAX_PER_NETWORK} uses of a join link in 15 minutes count from one network (IPv6: /64), ${MAX_PER_SITE} from one IPv6 /56.`,
  `Of the people who asked within the hour and have not followed their link, at most ${MAX_PER_NETWORK} may come from one IPv4 address`,
  `(${MAX_PER_SITE} from one IPv6 /56), ${MAX_OPEN_WHEN_MANY_OPEN} once there are ${numberText(MANY_OPEN_REQUESTS)} of them,`,
  `and at most ${numberText(MAX_JOIN_REQUESTS)} in all. At most ${MAX_OPEN_OF_DOMAIN_PER_NETWORK} from one network, and ${MAX_OPEN_OF_DOMAIN} in all,`,
  'may have e-mail addresses of one domain, unless it belongs to a large provider.',
  `A join link causes at most ${numberText(MAX_JOIN_MAILS_PER_DAY)} join mails a day; above ${numberText(MANY_JOIN_MAILS_PER_DAY)}, a network may have at most ${MAX_OPEN_WHEN_MANY_OPEN} open requests of the day.`,
  `A join link causes at most ${numberText(MAX_JOIN_REQUESTS)} invitations an hour of customers who exist already, and none above the daily limit of mails. The reply stays the same.`,
].join(' ');

export const register = endpoint({
  method: 'POST',
  path: '/api/register',
  summary: 'Join a distributor through its join link; the mailed link sets the password and makes the account',
  description: `The mailed link works for ${JOIN_LINK_DAYS} days. ${LIMITS}`,
  roles: ['public'],
  body: z.object({ email: Email, code: text('Code', 200) }),
  reply: Message,
  status: 202,
});

/** The maximum number of requests in the list. `count` also counts the requests beyond this number. */
export const MAX_LISTED = 20;

export const JoinRequests = z.object({
  count: z.int(),
  newest: z.array(z.object({ id: Id, email: z.string(), requestedAt: z.string(), isMailed: z.boolean() })),
});
export type JoinRequests = z.infer<typeof JoinRequests>;

export const readJoinRequests = endpoint({
  method: 'GET',
  path: '/api/join-requests',
  summary: 'Who used the join link and has not followed the mailed link yet',
  description: `The newest ${MAX_LISTED}, and how many there are. "isMailed" is false if a limit of its e-mail address prevented the mail.`,
  roles: ['distributor'],
  reply: JoinRequests,
});

export const clearJoinRequests = endpoint({
  method: 'DELETE',
  path: '/api/join-requests',
  summary: 'Remove every open join request; links mailed for them stop working, and the requests still count toward the limits',
  roles: ['distributor'],
  status: 204,
});
