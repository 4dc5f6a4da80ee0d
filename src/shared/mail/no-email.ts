/**
 * The suffix of the placeholder that is stored for a customer without an e-mail address. The column is unique and never null, because
 * servers of the previous version still read it (docs/operations.md). No mail reaches `.invalid` (RFC 2606), and no reply or mail contains
 * the placeholder.
 */
export const PLACEHOLDER_DOMAIN = '@no-email.invalid';
