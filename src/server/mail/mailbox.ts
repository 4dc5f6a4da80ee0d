// Determines which e-mail addresses belong to the same mailbox. Most providers ignore a "+suffix", and some ignore dots and other characters,
// so one mailbox receives the mails to many addresses. Accounts are still distinguished by their exact e-mail addresses.
//
// There are three keys. The limits of mails to one person use the counted mailbox (decision 8). Different people may have the same one; then
// they only share a limit. The exact mailbox ignores only what the provider certainly ignores. With it, such a limit leaves room for a person
// who has got no mail yet. Unsubscriptions use the mailbox, which never includes another person.

/** Maps domains to the main domain of the same mailboxes. */
const MAIN_DOMAINS = new Map([
  ['googlemail.com', 'gmail.com'],
  ['protonmail.com', 'proton.me'],
  ['protonmail.ch', 'proton.me'],
  ['pm.me', 'proton.me'],
  ['me.com', 'icloud.com'],
  ['mac.com', 'icloud.com'],
  ['ya.ru', 'yandex.com'],
]);
const mainDomainOf = (domain: string): string => (domain.startsWith('yandex.') ? 'yandex.com' : (MAIN_DOMAINS.get(domain) ?? domain));
const withoutSeparators = (name: string): string => name.replaceAll(/[._-]/g, '');

/** Splits an e-mail address in lower case into the name without its suffix and the domain. */
function splitAddress(email: string): [name: string, domain: string] {
  const [local = '', domain = ''] = email.split('@');
  // Fastmail delivers all addresses of a subdomain to the mailbox with the name of the subdomain.
  const [subdomain = '', fastmail] = domain.split('.fastmail.');
  if (fastmail !== undefined) return [subdomain, `fastmail.${fastmail}`];
  // A "+" at the beginning starts no suffix: it may be a telephone number at a gateway for text messages. Yahoo also has "-suffix".
  return [local.replace(domain.startsWith('yahoo.') ? /(?<=.)[+-].*$/s : /(?<=.)[+].*$/s, ''), domain];
}

/** Whether an e-mail address in lower case has a suffix that its provider may ignore. */
export const hasSuffix = (email: string): boolean => !email.startsWith(`${splitAddress(email)[0]}@`);

/**
 * Returns the key under which the mails to an e-mail address in lower case are counted. The part before the "@" loses its "+suffix" and all
 * of the characters ".", "-" and "_". Not every provider ignores these, but a list of the providers that do could not be complete. The SQL
 * function counted_mailbox_v1 computes the same key.
 */
export function countedMailboxOf(email: string): string {
  const [name, domain] = splitAddress(email);
  return `${withoutSeparators(name)}@${mainDomainOf(domain)}`;
}

/**
 * Returns the e-mail address in lower case without the characters that its provider certainly ignores. Addresses at the
 * further domains of a provider count as different mailboxes, except at Gmail, because many people own an address at one domain only.
 */
export function exactMailboxOf(email: string): string {
  const [name, domain] = splitAddress(email);
  switch (mainDomainOf(domain)) {
    case 'gmail.com':
      return `${name.replaceAll('.', '')}@gmail.com`;
    case 'proton.me':
      return `${withoutSeparators(name)}@${domain}`;
    case 'yandex.com':
      return `${name.replaceAll('-', '.')}@${domain}`;
    default:
      return `${name}@${domain}`;
  }
}

/**
 * The SQL expression for the counted mailbox of the column "to". It must equal the expression of the indexes emails_by_counted_mailbox,
 * emails_confirmed_by_mailbox, emails_about_holds and emails_reminded_by_mailbox.
 */
export const COUNTED_MAILBOX_SQL = 'counted_mailbox_v1("to")';

/**
 * Returns the SQL expression for the mailbox of an e-mail address in lower case: the address without a "+suffix", and at Gmail without dots.
 */
const mailboxSql = (email: string): string =>
  `(CASE WHEN ${email} ~ '@(gmail|googlemail)[.]com$' THEN replace(split_part(split_part(${email}, '@', 1), '+', 1), '.', '') || '@gmail.com' ELSE regexp_replace(${email}, '^([^+@]+)[+][^@]*@', '\\1@') END)`;

/** Returns the SQL expression for the hash of an e-mail address or a mailbox. */
export const recipientHashSql = (recipient: string): string => `encode(sha256(convert_to(${recipient}, 'UTF8')), 'hex')`;

/**
 * Returns the SQL expression for the hash of the mailbox of an e-mail address. Unsubscriptions are stored under this hash, so that they can
 * be kept after the person's data are erased.
 */
export const mailboxHashSql = (email: string): string => recipientHashSql(mailboxSql(email));

const COUNTED_COLUMNS = [
  'id',
  'kind',
  'status',
  '"distributorId"',
  '"joinDistributorId"',
  '"replyTo"',
  '"createdAt"',
  '"resentAt"',
  '"sentAt"',
];

/**
 * Returns a subquery with the mails to the recipients in the array `given`. It includes the mails of the last day whose address was erased
 * because the person was forgotten. These mails are found by the hash of the recipient, and have no address.
 */
const mailsToSql = (
  recipient: string,
  hash: string,
  given: string,
): string => `(SELECT ${recipient} AS recipient, "to" AS address, ${COUNTED_COLUMNS.join(', ')}
    FROM emails WHERE ${recipient} = ANY(${given})
  UNION ALL SELECT r.recipient, NULL, ${COUNTED_COLUMNS.map((column) => `e.${column}`).join(', ')}
    FROM unnest(${given}::text[]) r (recipient) JOIN erased_recipients x ON x.${hash} = ${recipientHashSql('r.recipient')}
      JOIN emails e ON e.id = x."mailId") mails`;
export const mailsToAddresses = (given: string): string => mailsToSql('"to"', '"addressHash"', given);
export const mailsToMailboxes = (given: string): string => mailsToSql(COUNTED_MAILBOX_SQL, '"mailboxHash"', given);

const LARGE_PROVIDERS =
  /^(aol|free|gmail|gmx|googlemail|hotmail|icloud|live|msn|orange|outlook|proton|protonmail|rocketmail|wanadoo|yahoo|yandex|ymail)([.]com?)?[.][a-z]{2,3}$|^(aim|att|bellsouth|btinternet|charter|comcast|cox|earthlink|fastmail|laposte|mac|mail|me|optonline|sbcglobal|verizon)[.](com|net)$|^(bezeqint[.]net|mail[.]ru|netvision[.]net[.]il|pm[.]me|t-online[.]de|walla[.](co[.]il|com)|web[.]de|ya[.]ru)$/;

/**
 * Whether thousands of people have e-mail addresses of this domain. One person may own any other domain and receive the mails to all its
 * addresses.
 */
export const isLargeProvider = (domain: string): boolean => LARGE_PROVIDERS.test(domain);
