// Determines which e-mail addresses belong to the same mailbox. Most providers ignore a "+suffix", and Gmail also ignores dots, so one
// mailbox receives the mails to many addresses. The limits of mails to one person apply to mailboxes, and so do unsubscriptions (decision
// 8). Accounts are still distinguished by their exact e-mail addresses.

const GMAIL = /@(gmail|googlemail)\.com$/;

/** Returns the mailbox of an e-mail address in lower case. `mailboxSql` computes the same value. */
export function mailboxOf(email: string): string {
  if (!GMAIL.test(email)) return email.replace(/^([^+@]+)\+[^@]*@/, '$1@');
  const local = email.slice(0, email.indexOf('@'));
  return `${local.replace(/\+.*$/s, '').replaceAll('.', '')}@gmail.com`;
}

/** Returns the SQL expression for the mailbox of an e-mail address in lower case. */
const mailboxSql = (email: string): string =>
  `(CASE WHEN ${email} ~ '@(gmail|googlemail)[.]com$' THEN replace(split_part(split_part(${email}, '@', 1), '+', 1), '.', '') || '@gmail.com' ELSE regexp_replace(${email}, '^([^+@]+)[+][^@]*@', '\\1@') END)`;

/**
 * The SQL expression for the mailbox of the column "to". It must equal the expression of the indexes emails_by_mailbox and
 * emails_confirmed_by_staff.
 */
export const MAILBOX_SQL = mailboxSql('"to"');

/** Returns the SQL expression for the hash of an e-mail address or a mailbox. */
export const recipientHashSql = (recipient: string): string => `encode(sha256(convert_to(${recipient}, 'UTF8')), 'hex')`;

/**
 * Returns the SQL expression for the hash of the mailbox of an e-mail address. Unsubscriptions are stored under this hash, so that they can
 * be kept after the person's data are erased.
 */
export const mailboxHashSql = (email: string): string => recipientHashSql(mailboxSql(email));

const COUNTED_COLUMNS = ['kind', 'status', '"distributorId"', '"joinDistributorId"', '"replyTo"', '"createdAt"', '"resentAt"', '"sentAt"'];

/**
 * Returns a subquery with the mails to the recipients in the array `given`. It includes the mails of the last day whose address was erased
 * because the person was forgotten. These mails are found by the hash of the recipient.
 */
const mailsToSql = (
  recipient: string,
  hash: string,
  given: string,
): string => `(SELECT ${recipient} AS recipient, ${COUNTED_COLUMNS.join(', ')}
    FROM emails WHERE ${recipient} = ANY(${given})
  UNION ALL SELECT r.recipient, ${COUNTED_COLUMNS.map((column) => `e.${column}`).join(', ')}
    FROM unnest(${given}::text[]) r (recipient) JOIN erased_recipients x ON x.${hash} = ${recipientHashSql('r.recipient')}
      JOIN emails e ON e.id = x."mailId") mails`;
export const mailsToAddresses = (given: string): string => mailsToSql('"to"', '"addressHash"', given);
export const mailsToMailboxes = (given: string): string => mailsToSql(MAILBOX_SQL, '"mailboxHash"', given);
