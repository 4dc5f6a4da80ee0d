// This file contains the UI texts of waiting lists (contract §12).
import { HOLD_HOURS } from '../../domain/ordering/limits.ts';
import { counted } from '../../shared/counted.ts';

export const alreadyWaiting = (product: string): string => `You are on the waiting list for ${product} already.`;
export const tooManyWaiting = (most: number): string => `You are on ${most} waiting lists of this distribution. Leave one of them first.`;
// The log of e-mails shows these texts when a mail about held units is not sent, or not yet.
export const NOTHING_HELD = 'Nothing is held for this person any more.';
export const MANY_HOLD_MAILS = 'This person has got many e-mails about held units within the day. The e-mail is sent later.';

// The mail about held units contains the following texts.
export const HOLD_SUBJECT = 'What you are waiting for is held for you';
export const holdHeading = (firstName: string): string => (firstName ? `${firstName}, this is held for you` : 'This is held for you');
export const untilText = (time: string): string => `until ${time}`;
export const unitsText = (units: number): string => counted(units, 'unit');
export const ORDER_NOW = 'Order now';
export const opensText = (time: string): string => `Ordering opens ${time}.`;
export const OPEN_ORDER_PAGE = 'Open the order page';
export const MORE_IS_HELD = 'More is held for you. The order pages show all of it.';
export const HOLD_NOTE = 'What you do not order in time goes to the next on the waiting list.';

export const WAITING_NOT_LOADED = 'The waiting list could not be loaded';

// The texts of the order page.
export const JOIN = 'Join the waiting list';
export const joinText = (product: string): string => `Join the waiting list for ${product}`;
export const JOIN_HINT = `When units come free, they are held for you for ${HOLD_HOURS} hours while ordering is open, and an e-mail tells you.`;
export const JOINED = 'You are on the waiting list';
export const LEAVE = 'Leave the waiting list';
export const leaveText = (product: string): string => `Leave the waiting list for ${product}`;
export const waitingText = (quantity: number): string => `You are waiting for ${quantity}.`;
export const heldText = (units: number, until: string): string => `${units} held for you until ${until}.`;

// The texts of the Products tab.
export const WAITING_LIST = 'Waiting list';
export const WAITING_HINT = `Units that come free are held for these customers, first come first, for ${HOLD_HOURS} hours while ordering is open.`;
export const WAITING_NOUN = 'customers';
export const NOBODY_WAITS = 'Nobody is waiting.';
export const HEADERS = { product: 'Product', customer: 'Customer', quantity: 'Waits for', held: 'Held', since: 'Since' } as const;
export const heldUntilText = (units: number, until: string): string => `${units} until ${until}`;
export const NOT_HELD = '-';
