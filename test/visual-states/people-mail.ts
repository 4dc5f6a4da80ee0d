// Lists the visual states of the dialog for writing e-mails and of the log of e-mails. Other visual states in this file show mails as a
// mail program shows them.
import { renderers } from '../../src/email-renderers.ts';
import { unsubscribedPage, unsubscribePage, noSuchLinkPage } from '../../src/features/emails/mail.ts';
import { findRecipient } from '../../src/features/emails/queries.ts';
import { readEnv } from '../../src/server/operations/env.ts';
import type { MailKind, Row } from '../../src/server/database/schema.ts';
import { dialogOf, openDialog, write } from '../e2e/email-writing.ts';
import type { Rows, VisualState, VisualStateData, Who } from './setup/visual-state.ts';
import { after, answered, at, press, reads, refused, saved, unanswered, type Step } from './setup/steps.ts';

const customers = '/distributor?tab=customers';
const log = '**/api/emails';

const written: Step = (page) =>
  write(page, 'Pick-up on Wednesday', 'Dear all, pick-up is on Wednesday from 4 to 7. Please bring a cooler.');
const inDialog =
  (name: string | RegExp): Step =>
  (page) =>
    dialogOf(page).getByRole('button', { name }).click();
const open = (...steps: Step[]): VisualState['open'] => at(customers, openDialog, ...steps);
const atDistribution = (...steps: Step[]): VisualState['open'] =>
  at(({ weighing }) => `/distributor/distribution/${weighing}`, openDialog, ...steps);
const preview = inDialog('Preview');
const send = inDialog(/^Send (Emails|to Selected Contacts)$/);
const byPerson = inDialog('By person');
const search =
  (text: string): Step =>
  (page) =>
    dialogOf(page).getByRole('textbox', { name: 'Search people' }).fill(text);
const noPostalAddress = answered('**/api/organization', 200, {
  name: null,
  address: null,
  city: null,
  state: null,
  zip: null,
  phone: null,
});
const opened: Step = (page) => page.getByRole('button', { name: 'Send Email' }).click();

const DIALOG: Record<string, VisualState['open']> = {
  'send-email': open(),
  'send-email-orders': atDistribution(written),
  'send-email-people': open(byPerson),
  'send-email-nobody-found': open(byPerson, search('zzz'), reads(/Nobody matches/)),
  'send-email-failed': after(refused('**/contacts-with-has-order'), atDistribution()),
  'send-email-no-editor': at(
    customers,
    (page) => page.route('**/tinymce/**', (route) => route.abort()),
    opened,
    reads(/The editor did not arrive/),
  ),
  'send-email-discard': open(written, inDialog('Cancel'), reads('Discard this e-mail?')),
  'send-email-preview': open(written, preview, reads(/Nothing is sent yet/)),
  'send-email-preview-no-address': open(noPostalAddress, written, preview, reads(/enter your postal address/)),
  'send-email-test': open(
    saved('**/api/emails/test', 200, { message: 'A test is on its way to office@bethel.test.' }),
    written,
    preview,
    inDialog('Send a test to me'),
    reads(/A test is on its way/),
  ),
  'send-email-sending': open(unanswered('**/api/send-emails'), written, preview, send, reads('Sending')),
  'send-email-stopped': open(saved('**/api/send-emails', 503, 'The server is busy.'), written, preview, send, reads('Sending has stopped')),
  'send-email-sent': open(
    saved('**/api/send-emails', 200, { message: '15 e-mails are on their way. 1 person has unsubscribed and gets none.' }),
    written,
    preview,
    send,
    reads(/15 e-mails are on their way/),
  ),
  'email-log': open(press('Log'), reads('550 No such mailbox')),
  'email-log-none': open(answered(log, 200, []), press('Log'), reads(/No e-mails yet/)),
  'email-log-failed': open(refused(log), press('Log'), reads('Oops')),
  'email-log-loading': open(unanswered(log), press('Log')),
};
const MANY: Record<string, VisualState['open']> = {
  'send-email-people-many': open(byPerson, reads('Abramov, Rivka')),
  'email-log-many': open(press('Log'), reads('Pick-up on Wednesday')),
};

type Writing = Partial<Row<'emails'>>;

/** Renders a mail and shows it in the page without sending it. */
const letter =
  (kind: MailKind, mailOf: (ids: VisualStateData) => Writing | Promise<Writing>): VisualState['open'] =>
  async (page, ids) => {
    const mail = { kind, to: '', subject: '', html: '', ...(await mailOf(ids)) } as Row<'emails'>;
    const writing = { db: ids.db, env: readEnv({}), now: new Date(), mail };
    const made = await renderers[kind](writing);
    if (!('html' in made)) throw new Error('Nobody gets this mail.');
    await page.setContent(made.html);
  };

const to =
  (who: Who) =>
  ({ people }: VisualStateData): Writing => ({ userId: people[who].id, distributorId: people.distributor.id });
/** Returns the data of a mail to a customer who has not signed in yet. */
async function invited({ db, people }: VisualStateData): Promise<Writing> {
  const someone = db.selectFrom('users').select('id').where('role', '=', 'customer').where('lastLoginAt', 'is', null);
  const { id } = await someone.executeTakeFirstOrThrow();
  return { userId: id, distributorId: people.distributor.id };
}
const ANNOUNCEMENT = `<p>Dear all,</p><p>pick-up is on <strong>Wednesday from 4 to 7</strong> in the social hall.</p><h2>Please bring</h2>
<ul><li>a cooler for the fish</li><li>your order number</li></ul><p>The way there is <a href="https://example.com/map">on the map</a>.</p><blockquote>Late? Call us before 6.</blockquote>`;

const page =
  (htmlOf: (ids: VisualStateData) => Promise<string>): VisualState['open'] =>
  async (shown, ids) =>
    await shown.setContent(await htmlOf(ids));
const customer = async ({ db, people }: VisualStateData) => {
  const found = await findRecipient(db, people.customer.id);
  if (!found) throw new Error('There is no customer.');
  return found;
};

const LETTERS: Record<string, VisualState['open']> = {
  'mail-invitation': letter('invitation', invited),
  'mail-reset': letter('reset', to('customer')),
  'mail-exists': letter('exists', to('customer')),
  'mail-confirmation': letter('confirmation', ({ orders }) => ({ orderId: orders.mine })),
  'mail-announcement': letter('bulk', (ids) => ({ ...to('customer')(ids), subject: 'Pick-up on Wednesday', html: ANNOUNCEMENT })),
  'mail-unsubscribe': page(async (ids) => unsubscribePage(await customer(ids), 'Bethel Holiday Foods')),
  'mail-unsubscribed': page(async (ids) => unsubscribedPage(await customer(ids), 'Bethel Holiday Foods')),
  'mail-no-such-link': page(async () => noSuchLinkPage()),
};

const statesOf = (as: VisualState['as'], rows: Rows, opens: Record<string, VisualState['open']>): VisualState[] =>
  Object.entries(opens).map(([name, way]) => ({ name, as, rows, open: way }));

export const MAIL: readonly VisualState[] = [
  ...statesOf('distributor', 'few', DIALOG),
  ...statesOf('distributor', 'many', MANY),
  ...statesOf('nobody', 'few', LETTERS),
];
