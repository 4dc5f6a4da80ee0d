// Every literal text of e-mailing (spec §2 Send Email dialog, §8; contract §8).
export const FOREIGN_RECIPIENT = 'An e-mail can only go to your own customers and agents.';
export const FOREIGN_REPLY_TO = 'Replies can only go to your own e-mail address.';
export const DATA_IMAGE = 'Pictures cannot be pasted into an e-mail. Link to a picture on the web instead.';
export const NO_CONTENT = 'Content is required';
export const NOT_AGAIN = 'Only an e-mail that failed, or of which nobody knows whether it arrived, can be sent again.';
export const NO_LONGER_KEPT = 'This e-mail is too old to be sent again: its text is no longer kept.';
export const UNSUBSCRIBED = 'This person has unsubscribed from e-mails like this.';
export const NO_RECIPIENT = 'There is nobody to send this e-mail to any more.';

const count = (number: number, one: string, many: string): string => (number === 1 ? one : many.replace('#', String(number)));

/** The server's message for e-mailing, shown in the toast. */
export function queuedText(queued: number, suppressed: number): string {
  const sent = count(queued, '1 e-mail is on its way.', '# e-mails are on their way.');
  if (suppressed === 0) return sent;
  return `${sent} ${count(suppressed, '1 person has unsubscribed and gets none.', '# people have unsubscribed and get none.')}`;
}

export const tooManyText = (most: number, written: number): string =>
  `At most ${most} e-mails can be sent in a day, and you have sent ${written} since yesterday. Please send the rest tomorrow.`;

export const testText = (email: string): string => `A test is on its way to ${email}.`;

/** The server's messages for one e-mailing in several calls, as the one for all of it. */
export function addedUp(messages: readonly string[]): string {
  const figures = messages.map((message) => (message.match(/\d+/g) ?? []).map(Number));
  const sumAt = (place: number): number => figures.reduce((sum, found) => sum + (found[place] ?? 0), 0);
  return queuedText(sumAt(0), sumAt(1));
}

// The Send Email dialog.
export const SEND_EMAIL = 'Send Email';
export const NOBODY = 'There is nobody to write to here yet.';
export const NO_MAILS = 'No e-mails yet. What you send, and every invitation and confirmation, is listed here.';
export const ON_ITS_WAY_AGAIN = 'The e-mail is on its way again.';

/** Spec §2: the label with one recipient, and with several. */
export const sendLabel = (recipients: number): string => (recipients > 1 ? 'Send Emails' : 'Send to Selected Contacts');

export const LOOK_FIRST = 'You will see it before anything is sent.';
export const NO_POSTAL_ADDRESS =
  'An e-mail to many must say where it comes from: enter your postal address under Organization on the dashboard.';
export const NOTHING_SENT = 'Nothing is sent yet. This is what they will get.';

export const people = (number: number): string => (number === 1 ? '1 person' : `${number} people`);

export function recipientsText(number: number): string {
  if (number === 0) return 'Choose at least one recipient.';
  return number === 1 ? people(1) : `${people(number)}, each in an e-mail of their own`;
}

export const restText = (sent: number, left: number): string =>
  sent === 0
    ? `Nothing has been sent yet: ${people(left)} ${left === 1 ? 'is' : 'are'} left.`
    : `${count(sent, '1 e-mail is on its way', '# e-mails are on their way')}; ${people(left)} ${left === 1 ? 'is' : 'are'} left.`;

export const STATES = {
  queued: { word: 'Queued', tone: 'wait' },
  sending: { word: 'Sending', tone: 'wait' },
  sent: { word: 'Sent', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  unknown: { word: 'Unknown', tone: 'bad' },
  suppressed: { word: 'Not sent', tone: 'none' },
} as const;

/** What a state means, before the words of the mail server; null where they are ours or nothing is wrong. */
export function whyText({ status, response }: { status: keyof typeof STATES; response: string | null }): string | null {
  if (status === 'unknown') return 'It may have arrived or not: ask before you send it again.';
  if (status === 'queued' && response !== null) return 'It did not go out yet and is tried again by itself.';
  if (status !== 'failed') return null;
  if (response?.startsWith(GIVEN_UP)) return 'It was tried for a whole day in vain.';
  return /^5\d\d/.test(response ?? '') ? 'The mail server refused it: is the address right?' : null;
}
/** The last answer, and whose it is where it is the mail server's. */
export const answerText = (response: string): string => (/^[245]\d\d\b/.test(response) ? `Mail server: ${response}` : response);
/** How the last answer to a mail begins that was tried for a day. */
const GIVEN_UP = 'Given up';

export const KINDS = {
  bulk: 'E-mail',
  test: 'Test',
  invitation: 'Invitation',
  reset: 'Password reset',
  exists: 'Sign-in reminder',
  confirmation: 'Order confirmation',
} as const;

/** What the distributor writes, and what goes out by itself. */
export const WRITTEN_KINDS: readonly (keyof typeof KINDS)[] = ['bulk', 'test'];
export const ORIGINS = { all: 'All', written: 'Written by you', automatic: 'Automatic' } as const;
