// The UI texts of e-mailing (spec §2 Send Email dialog, §8; contract §8).
import { numberText } from '../../shared/counted.ts';
import { DEEPEST_ELEMENT, LONGEST_ATTRIBUTE, MAX_ELEMENTS } from '../../shared/mail/email-tags.ts';

export const FOREIGN_RECIPIENT = 'An e-mail can only go to your own customers and agents.';
export const FOREIGN_REPLY_TO = 'Replies can only go to your own e-mail address.';
export const tooManyToOne = (most: number, email: string): string =>
  `At most ${most} of your e-mails a day can go to one person, and ${email} already gets as many. Leave out this person, or send the e-mail tomorrow.`;
export const tooManyAgain = (most: number, email: string): string =>
  `At most ${most} of your e-mails of this kind a day can go to one person, and ${email} already gets as many. Send the e-mail again tomorrow.`;
export const DATA_IMAGE = 'Pictures cannot be pasted into an e-mail. Link to a picture on the web instead.';
export const TOO_COMPLEX = `The formatting is too complex: an e-mail has at most ${numberText(MAX_ELEMENTS)} HTML elements, nested at most ${DEEPEST_ELEMENT} deep. Paste the text without its formatting.`;
export const LONG_ATTRIBUTE = `The address of a link or picture, or the style of an element, is too long: it has at most ${numberText(LONGEST_ATTRIBUTE)} characters. Shorten it, or paste the text without its formatting.`;
export const NO_CONTENT = 'Content is required';
export const NOT_AGAIN = 'Only an e-mail that failed, or of which nobody knows whether it arrived, can be sent again.';
export const LINK_SENT_AGAIN =
  'An e-mail with a link to set a password can be sent again only once a day. Send a new invitation, or ask the person to request a new link.';
export const NO_LONGER_KEPT = 'This e-mail is too old to be sent again: its text is no longer kept.';
export const UNSUBSCRIBED = 'This person has unsubscribed from e-mails like this.';
export const MANY_CONFIRMATIONS = 'This customer has changed many orders within the hour. The confirmation is sent later.';
export const MANY_CONFIRMATIONS_OF_STAFF =
  'Staff have changed orders of this person many times within the day. The confirmation is sent later.';
export const CORRECTED = 'The address was corrected before this e-mail was sent. Send a new e-mail to the new address.';
export const NO_RECIPIENT = 'There is nobody to send this e-mail to any more.';

const count = (number: number, one: string, many: string): string => (number === 1 ? one : many.replace('#', String(number)));

/** The message of the server after mails were queued; the client shows it in a toast. */
export function queuedText(queued: number, suppressed: number): string {
  const sent = count(queued, '1 e-mail is on its way.', '# e-mails are on their way.');
  if (suppressed === 0) return sent;
  return `${sent} ${count(suppressed, '1 person has unsubscribed and gets none.', '# people have unsubscribed and get none.')}`;
}

export const tooMuchHtml = (most: number): string =>
  `The contents of all e-mails of a day have at most ${numberText(most / 1_000_000)} MB together. Shorten the text, or send the rest tomorrow.`;
export const tooManyText = (most: number, written: number): string =>
  `At most ${most} e-mails can be sent in a day, and you have sent ${written} since yesterday. Please send the rest tomorrow.`;

export const testText = (email: string): string => `A test is on its way to ${email}.`;

/** Combines the messages of several calls into one message for the whole mailing. */
export function joinedMessages(messages: readonly string[]): string {
  const figures = messages.map((message) => (message.match(/\d+/g) ?? []).map(Number));
  const sumAt = (index: number): number => figures.reduce((sum, found) => sum + (found[index] ?? 0), 0);
  return queuedText(sumAt(0), sumAt(1));
}

// The texts of the Send Email dialog.
export const SEND_EMAIL = 'Send Email';
export const NOBODY = 'There is nobody to write to here yet.';
export const NO_MAILS = 'No e-mails yet. What you send, and every invitation and confirmation, is listed here.';
export const ON_ITS_WAY_AGAIN = 'The e-mail is on its way again.';

/** The label of the send button, which the specification sets for one recipient and for several (spec §2). */
export const sendLabel = (recipients: number): string => (recipients > 1 ? 'Send Emails' : 'Send to Selected Contacts');

export const PREVIEW = 'Preview';
export const NO_POSTAL_ADDRESS =
  'An e-mail to many must say where it comes from: enter your postal address under Organization on the dashboard.';

const people = (number: number): string => (number === 1 ? '1 person' : `${number} people`);

export const nothingSentText = (recipients: number): string => `Nothing is sent yet. This is what ${people(recipients)} will get.`;

export function recipientsText(number: number): string {
  if (number === 0) return 'Choose at least one recipient.';
  return number === 1 ? '1 person' : `${number} people, each in an e-mail of their own`;
}

export const RECIPIENTS_CHANGED = 'Nothing is sent yet, because the recipients have changed. Please check them.';
export const unsureText = (recipients: number): string => `It is not known whether ${people(recipients)} got this e-mail.`;
export const UNSURE_MEANS = 'The server’s answer was lost, so they were taken off the recipients. The log shows who gets the e-mail.';

/**
 * Says how many mails were sent before sending stopped, and how many recipients are left. `isUnknown` says that the last call got no reply,
 * so that some of those who are left may get the mail all the same.
 */
export function restText(sent: number, left: number, isUnknown = false): string {
  const rest = count(left, '1 person is left', '# people are left');
  return sent === 0
    ? `${isUnknown ? 'The server has not confirmed any e-mail' : 'Nothing has been sent yet'}: ${rest}.`
    : `${count(sent, '1 e-mail is on its way', '# e-mails are on their way')}; ${rest}.`;
}

export const WRITE = 'Write';
export const LOG = 'Log';
export const DISCARD_QUESTION = 'Discard this e-mail?';
export const DISCARD_MEANS = 'What you wrote is thrown away. To keep it for later, close the dialog with the cross instead.';
export const DISCARD = 'Discard';

// The texts for choosing recipients.
export const RECIPIENTS = 'Recipients';
export const EVERYBODY = 'All';
export const WITH_ORDER = 'With an order';
export const WITHOUT_ORDER = 'Without an order';
export const NOT_PAID = 'Not paid';
export const BY_PERSON = 'By person';
export const SEARCH_PEOPLE = 'Search people';
export const PEOPLE = 'People';
export const allFoundText = (found: number): string => `All ${found} found`;
export const nobodyMatches = (search: string): string => `Nobody matches "${search}".`;
export const moreToFind = (more: number): string => `${more} more: search to find them.`;

// The texts for writing the subject and the content.
export const SUBJECT = 'Subject';
export const CONTENT = 'Content';
export const NO_EDITOR = 'The editor did not arrive. Check your connection.';
export const PARAGRAPH = 'Paragraph';
export const HEADING = 'Heading';
export const SMALL_HEADING = 'Small heading';
export const LINK = 'Link';

// The texts of the preview and of sending.
export const TO = 'To';
export const REPLY_TO = 'Reply to';
export const othersText = (others: number): string =>
  `and ${others} more ${others === 1 ? 'person' : 'people'}, each in an e-mail of their own`;
export const PREVIEW_OF = 'Preview of the e-mail';
export const UNSUBSCRIBE = 'Unsubscribe from e-mails like this';
export const BACK = 'Back';
export const SEND_TEST = 'Send a test to me';
export const SENDING = 'Sending';
export const SENDING_STOPPED = 'Sending has stopped';
export const sentText = (sent: number, total: number): string => `${sent} of ${total}`;
export const NOBODY_TWICE = 'Try again: nobody gets the e-mail a second time.';
export const BACK_TO_EMAIL = 'Back to the e-mail';

// The texts of the e-mail log.
export const STATE = 'State';
export const TIME = 'Time';
export const KIND = 'Kind';
export const REFRESH = 'Refresh';
export const SEND_AGAIN = 'Send again';
export const sendAgainLabel = (to: string): string => `Send again to ${to}`;
export const EARLIER = 'Earlier e-mails';
export const EMAILS = 'e-mails';
export const NONE_IN_STATE = 'None of them is in this state any more.';

export const STATES = {
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Failed',
  unknown: 'Unknown',
  suppressed: 'Not sent',
} as const;

/** Explains the state of a mail to the distributor. Returns null if the response explains it already, or if there is no problem. */
export function whyText({ status, response }: { status: keyof typeof STATES; response: string | null }): string | null {
  if (status === 'unknown') return 'It may have arrived or not: ask before you send it again.';
  if (status === 'queued' && response !== null) return 'It has not been sent yet and is tried again automatically.';
  if (status !== 'failed') return null;
  if (response?.startsWith(GIVEN_UP)) return 'It was tried for a whole day without success.';
  return /^5\d\d/.test(response ?? '') ? 'The mail server refused it: is the address right?' : null;
}
/** Returns the response in the e-mail log. If it came from the mail server, the text begins with 'Mail server:'. */
export const answerText = (response: string): string => (/^[245]\d\d\b/.test(response) ? `Mail server: ${response}` : response);
/** The response of a mail begins with this text if Feastday gave up sending the mail after a day. */
const GIVEN_UP = 'Given up';

/** The labels of the kinds of mail. Bulk mail needs no label, because the distributor wrote its subject. */
export const KINDS = {
  bulk: null,
  test: 'Test',
  invitation: 'Invitation',
  reset: 'Password reset',
  exists: 'Sign-in reminder',
  confirmation: 'Order confirmation',
  hold: 'Held for you',
  reminder: 'Reminder',
  'short-delivery': 'Short delivery',
} as const;

/** The labels of the filter for mails that the distributor wrote and mails that Feastday sent automatically. */
export const ORIGINS = { all: 'All', written: 'Written by you', automatic: 'Automatic' } as const;
