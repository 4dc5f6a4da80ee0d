// The texts of undoing an upload of products.
import { counted } from '../../shared/counted.ts';

export const TOO_LATE = 'This upload can no longer be undone.';
export const builtOnText = (product: string): string =>
  `${product} was changed or ordered since the upload, so the upload cannot be undone.`;
export const lastUploadText = (time: string, { added, changed }: { added: number; changed: number }): string =>
  `Last upload, ${time}: ${counted(added, 'product')} added, ${changed} changed.`;
export const UNDO_UPLOAD = 'Undo this upload';
export const UNDO_QUESTION = 'Undo the last upload?';
export const UNDOING =
  'Added products are deleted, and changed ones are as before. It works while nobody has ordered or changed one of them since.';
export const UPLOAD_UNDONE = 'Upload undone';
