// This file contains the UI texts of tills (contract §15).
import { counted, numberText } from '../../shared/counted.ts';

export const tooManyTills = (most: number): string => `You have opened ${most} tills for this distribution, and more are not possible.`;
export const tooManyTillsForAgents = (most: number): string =>
  `This distribution has ${numberText(most)} tills. Only the distributor can open more.`;
export const OPEN_ALREADY = 'Your till is open already.';
export const CLOSED_ALREADY = 'This till is closed already. A closed till is never changed.';
export const FLOAT = 'Float';
export const NEGATIVE_FLOAT = 'Float must be non-negative';
export const COUNTED = {
  cash: 'Counted cash',
  check: 'Counted checks',
  card: 'Counted card payments',
  other: 'Counted other payments',
} as const;
export const NEGATIVE_CASH = 'Counted cash must be non-negative';

export const TILLS = 'Tills';
export const TILLS_HINT = 'Each person who takes payments has a till. What they record while it is open belongs to it.';
export const NO_TILLS = 'No till has been opened yet.';
export const OPEN_TILL = 'Open my till';
/** Shown beside a payment at the counter if other people of the distribution have opened tills and the user has no open till. */
export const NO_TILL = 'You have no open till: this payment will belong to none.';
export const OPEN_MEANS = 'Count the cash that is in the till now. The payments that you record from now on belong to your till.';
export const TILL_OPENED = 'Till opened';
export const CLOSE_TILL = 'Close till';
export const closeTillOfText = (person: string): string => `Close till of ${person}`;
export const CLOSE_MEANS = 'Count everything that is in the till, the float included. A closed till is never changed.';
export const CLOSE_QUESTION = 'Close till with a difference?';
export const CLOSE_WITH_DIFFERENCE = 'Close with this difference';
/** The texts for payments that were entered at this device's counter and that the server has not received yet. */
export const CLOSE_WITHOUT_QUESTION = 'Close till without the payments that wait?';
export const CLOSE_WITHOUT = 'Close without them';
export const unsentPaymentsText = (count: number): string =>
  `${counted(count, 'payment of this till is', 'payments of this till are')} still on this device. Look at the counter first: a till that is closed now does not contain ${count === 1 ? 'it' : 'them'}.`;
export const COUNT_AGAIN = 'Count again';
export const NEVER_CHANGED = 'A closed till is never changed.';
export const methodDifferenceText = (method: string, difference: string): string => `${method}: ${difference}`;
export const TILL_CLOSED = 'Till closed';
export const IN_DOLLARS = 'in dollars';
export const FLOAT_MEANS = 'The cash for giving change, in dollars.';
export const PRINT_TILLS = 'Print tills';
export const IS_OPEN = 'Open';
export const paymentsText = (payments: number): string => counted(payments, 'entry', 'entries');
export const periodText = (opened: string, closed: string | null): string =>
  closed === null ? `since ${opened}` : `${opened} to ${closed}`;

export const METHODS = { cash: 'Cash', check: 'Check', card: 'Credit Card', other: 'Other' } as const;
export const TILL_HEADERS = { method: 'Method', expected: 'Expected', counted: 'Counted', difference: 'Difference' } as const;
export const TOGETHER = 'Together';
export const floatText = (float: string): string => `Float ${float}`;
export const EXACT = 'Nothing is missing.';
export const missingText = (amount: string): string => `${amount} missing`;
export const surplusText = (amount: string): string => `${amount} too much`;

export const tillOfText = (person: string): string => `Till of ${person}`;
export const closedTillText = (person: string): string => `Closed till of ${person}`;
export const METHODS_NOUN = 'methods';
export const SUM_NOUN = 'sums';
export const SUM_TITLE = 'Sum of all tills';
export const SUM_HEADERS = {
  what: 'Received',
  cash: METHODS.cash,
  check: METHODS.check,
  card: METHODS.card,
  other: METHODS.other,
  total: TOGETHER,
} as const;
export const IN_TILLS = 'In tills, without floats';
export const WITHOUT_TILL = 'Without a till';
export const ALL_PAYMENTS = 'All payments, with card fees';
export const tillsOfText = (distribution: string): string => `Tills of ${distribution}`;
