// This file contains the UI texts for undoing an upload of products or customers.
import { counted, numberText } from '../../shared/counted.ts';

export const TOO_LATE = 'This upload can no longer be undone.';
export const UPLOAD_ENDED = 'This upload has ended. Start another one.';
export const builtOnText = (product: string): string =>
  `${product} was changed or ordered since the upload, so the upload cannot be undone.`;
export const lastProductUploadText = (time: string, { added, changed }: { added: number; changed: number }): string =>
  `Last upload, ${time}: ${counted(added, 'product')} added, ${changed} changed.`;
export const UNDO_UPLOAD = 'Undo this upload';
export const UNDO_QUESTION = 'Undo the last upload?';
export const UNDOING_PRODUCTS =
  'Added products are deleted, and changed ones are as before. It works while nobody has ordered or changed one of them since.';
export const UPLOAD_NOT_LOADED = 'The last upload could not be loaded';
export const UPLOAD_UNDONE = 'Upload undone';

export const lastCustomerUploadText = (time: string, added: number): string => `Last upload, ${time}: ${counted(added, 'customer')} added.`;
export const UNDOING_CUSTOMERS =
  'Added customers are removed, and their invitations stop working. Customers who have ordered, paid or signed in since, or whom somebody has changed, stay.';
export const removedText = (removed: number, kept: number): string =>
  `${counted(removed, 'customer')} removed.${kept > 0 ? ` ${numberText(kept)} stayed.` : ''}`;
export const keptText = (kept: number): string => `${counted(kept, 'customer')} stayed:`;
export const moreKeptText = (more: number): string => `and ${counted(more, 'more customer')}.`;
/** These texts say why a customer is kept when the upload is undone. If several reasons apply, the first one is shown. */
export const STAY_REASONS = {
  paid: 'has paid',
  ordered: 'has ordered',
  'signed-in': 'has signed in',
  accepted: 'has set a password',
  unsubscribed: 'has stopped e-mails to everybody',
  changed: 'was changed by staff',
} as const;
export type StayReason = keyof typeof STAY_REASONS;
export const ONLY_CUSTOMERS = 'An upload creates customers only.';
