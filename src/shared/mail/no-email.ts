/**
 * The suffix of the placeholder that is stored when a customer has no e-mail address. The database column is unique and never null, because
 * servers of the previous version still read it (docs/operations.md). No mail can be delivered to `.invalid` (RFC 2606). The placeholder
 * never appears in a reply or a mail.
 */
export const PLACEHOLDER_DOMAIN = '@no-email.invalid';
