// Decides which e-mail addresses belong to the same mailbox. The limits of mails to one person count by mailbox (decision 8), because a
// mailbox receives the mails of any number of addresses: most providers ignore a "+suffix", and Gmail also ignores dots. Accounts are still
// distinguished by their exact e-mail addresses.

const GMAIL = /@(gmail|googlemail)\.com$/;

/** Returns the mailbox of an e-mail address in lower case. MAILBOX_SQL computes the same value. */
export function mailboxOf(email: string): string {
  if (!GMAIL.test(email)) return email.replace(/^([^+@]+)\+[^@]*@/, '$1@');
  const local = email.slice(0, email.indexOf('@'));
  return `${local.replace(/\+.*$/s, '').replaceAll('.', '')}@gmail.com`;
}

/** The SQL expression for the mailbox of the column "to". It must equal the expression of the index emails_by_mailbox. */
export const MAILBOX_SQL = `(CASE WHEN "to" ~ '@(gmail|googlemail)[.]com$' THEN replace(split_part(split_part("to", '@', 1), '+', 1), '.', '') || '@gmail.com' ELSE regexp_replace("to", '^([^+@]+)[+][^@]*@', '\\1@') END)`;
