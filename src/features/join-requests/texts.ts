// The texts of join requests in the Join Link dialog, and the refusals of their links (contract §3).
import { counted } from '../../shared/counted.ts';

export const JOIN_ANSWER = 'Check your e-mail to finish joining.';
export const REQUEST_REMOVED = 'The join request was removed or has expired.';

// The server replies with these messages to a person who has opened a join link.
export const JOINED_OFTEN = 'Many people have joined from your network within the hour. Your link still works: try again in an hour.';
export const JOINED_TODAY = 'Too many people have joined this distributor today. Your link still works: try again tomorrow.';
export const JOINED_IN_ALL = 'This distributor cannot take more customers through its join link. Ask the distributor to add you.';

export const JOIN_REQUESTS = 'Waiting to confirm their e-mail';
export const JOIN_REQUESTS_MEAN = 'They used your join link and become customers when they follow the link in the mail.';
export const NOT_MAILED = 'No link was mailed: too many requests for this address. Add this person yourself.';
/** Returns, for example, '12 people'. */
export const requestsText = (count: number): string => (count === 1 ? '1 person' : counted(count, 'person', 'people'));
export const newestText = (shown: number): string => `The newest ${shown} are listed.`;
export const CLEAR_REQUESTS = 'Clear requests';
export const CLEAR_QUESTION = 'Clear all join requests?';
export const CLEAR_MEANS = 'The links that were mailed for them stop working. Whoever wants to join can use your join link again.';
export const REQUESTS_CLEARED = 'Join requests cleared';
