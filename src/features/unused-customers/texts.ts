// This file contains the UI texts of unused customers.
import { counted, numberText } from '../../shared/counted.ts';

export const CLEAN_UP = 'Clean Up';
export const CLEAN_UP_TITLE = 'Remove unused customers';
export const CLEAN_UP_MEANS = 'Choose the customers whose accounts nobody uses.';
export const WHICH = 'Which customers';
export const WHICH_CUSTOMERS = { invited: 'Never signed in', joined: 'Joined by link' } as const;
export const WHICH_MEANS = {
  invited:
    'Customers with an e-mail address who never signed in and never ordered, and whose contact staff have not changed. Forget the others one by one.',
  joined:
    'Customers who joined through your join link and have not ordered yet. New customers are among them: remove only addresses that you do not know.',
} as const;
export const SEARCH = 'Search unused customers';
export const UNUSED_CUSTOMERS = 'Unused customers';
export const NO_UNUSED = {
  invited: 'No customer who never signed in can be removed here.',
  joined: 'Nobody who joined through your join link can be removed here.',
} as const;
export const NOBODY_FOUND = 'No unused customer matches.';
export const allText = (n: number): string => `All ${numberText(n)}`;
export const moreText = (n: number): string => `${numberText(n)} more. Search to find them; All includes them.`;
export const removeLabel = (n: number): string => (n === 0 ? 'Remove' : `Remove ${counted(n, 'customer')}`);
export const removeQuestion = (n: number): string => `Remove ${counted(n, 'customer')}?`;
export const REMOVE_MEANS =
  'Their names and addresses are deleted, and they cannot sign in any more. This cannot be undone. Whoever has used the account meanwhile is kept.';
export const removedText = (n: number): string => `${counted(n, 'customer')} removed`;
export const keptText = (n: number): string => `${counted(n, 'customer')} kept: they are in use.`;

// The server's error messages, and texts that it stores.
export const LISTED_TWICE = 'A customer is in the list twice.';
export const tooManyText = (most: number): string => `At most ${numberText(most)} customers can be removed at once`;
/** The name that a customer without a name gets when the customer loses the e-mail address. */
export const customerName = (id: number): string => `Customer ${id}`;
/** The log of e-mails shows this text for a mail that was not sent because the customer was removed. */
export const REMOVED_BEFORE_SENT = 'The customer was removed before this e-mail was sent.';
