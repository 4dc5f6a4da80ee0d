/**
 * The end of what stands in place of the e-mail of a customer who has none: the column is unique and never null, because servers of the
 * version before still read it (docs/operations.md). No mail reaches `.invalid` (RFC 2606). No reply and no mail ever carries it.
 */
export const PLACEHOLDER_DOMAIN = '@no-email.invalid';
