// Lists the visual states of the dashboards of admin, distributor and agent, with their lists of people.
import { dialog } from '../e2e/people.ts';
import { moneyIsDueText } from '../../src/features/former-customers/texts.ts';
import { IMPORT } from './people-import.ts';
import { MAIL } from './people-mail.ts';
import { SECOND_FACTOR_STATES } from './accounts/second-factor-states.ts';
import type { Rows, VisualState, Who } from './setup/visual-state.ts';
import { after, answered, at, loading, press, reads, refused, saved, type, unanswered, type Step } from './setup/steps.ts';

const customers = '/distributor?tab=customers';
const agents = '/distributor?tab=agents';
const people = '**/api/users/customer';
const joinLink = '**/api/join-link';
const joinRequests = '**/api/join-requests';
const WAITING = {
  count: 1204,
  newest: Array.from({ length: 20 }, (_, n) => ({
    id: 2000 - n,
    email: n === 1 ? 'a.person.with.a.rather.long.address@department.university.example' : `rivka.adler${n}@mail.test`,
    requestedAt: new Date(Date.UTC(2027, 2, 20, 18, 0) - n * 60_000).toISOString(),
    isMailed: n !== 2,
  })),
};

const REFUSAL = moneyIsDueText(['Hanukkah 2026']);

const statesOf = (as: Who, rows: Rows, states: Record<string, VisualState['open']>): VisualState[] =>
  Object.entries(states).map(([name, open]) => ({ name, as, rows, open }));

const addCustomer = press('Add Customer');
const submit = (name: string) => (page: Parameters<VisualState['open']>[0]) =>
  dialog(page).getByRole('button', { name, exact: true }).click();
const email =
  (address: string): Step =>
  (page) =>
    dialog(page).getByLabel('Email').fill(address);
const qrCode: Step = (page) => dialog(page).getByRole('img').first().waitFor();
const taken = 'This e-mail address already has an account.';
const forgetFirst: Step = async (page) => {
  await page
    .getByRole('button', { name: /^More actions/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Forget' }).click();
};
const more = (email: string) => press(`More actions for ${email}`);

export const PEOPLE: readonly VisualState[] = [
  ...statesOf('admin', 'few', {
    'admin-none': after(answered('**/api/distributors', 200, []), at('/')),
    admin: at('/'),
    'admin-loading': loading('/', '**/api/distributors'),
    'admin-failed': after(refused('**/api/distributors'), at('/')),
    'admin-add-distributor': at('/', press('Add Distributor')),
    'admin-add-refused': at(
      '/',
      saved('**/api/distributors', 409, taken),
      press('Add Distributor'),
      email('office@bethel.test'),
      submit('Add Distributor'),
      reads(taken),
    ),
    'admin-account': at('/', press('Account')),
    'admin-disable': at(
      '/',
      (page) =>
        page
          .getByRole('button', { name: /^More actions/ })
          .first()
          .click(),
      press('Disable'),
    ),
  }),
  ...statesOf('admin', 'many', { 'admin-many': at('/') }),

  ...statesOf('distributor', 'none', {
    'distributor-none': at('/distributor'),
    'customers-none': after(answered(people, 200, []), at(customers)),
    'agents-none': after(answered('**/api/users/agent', 200, []), at(agents)),
  }),
  ...statesOf('distributor', 'many', {
    'distributor-many': at('/distributor'),
    'customers-many': at(customers),
    'customers-many-filtered': at(`${customers}&customers.email=ab`),
    'agents-many': at(agents),
  }),
  ...statesOf('distributor', 'few', {
    distributor: at('/distributor'),
    'distributor-loading': loading('/distributor', '**/api/distributions'),
    'distributor-failed': after(refused('**/api/distributions'), at('/distributor')),
    'distributor-offline': at('/distributor', (page) => page.context().setOffline(true), reads(/You are offline/)),
    'create-distribution': at('/distributor', press('Create Distribution')),
    'create-distribution-invalid': at(
      '/distributor',
      press('Create Distribution'),
      submit('Create Distribution'),
      reads('Name is required'),
    ),
    'create-distribution-discard': at(
      '/distributor',
      press('Create Distribution'),
      type('Name', 'Purim 2027'),
      press('Close'),
      reads(/Discard/),
    ),
    'forget-customer': after(
      answered('**/api/users/customer/*/forget', 200, { refusal: null, inBackupsUntil: '2027-04-15T12:00:00Z' }),
      at(customers, forgetFirst, reads(/Backups that were made before/)),
    ),
    'forget-customer-not-now': after(
      answered('**/api/users/customer/*/forget', 200, { refusal: REFUSAL, inBackupsUntil: null }),
      at(customers, forgetFirst, reads(REFUSAL)),
    ),
    organization: at('/distributor', press('Organization'), (page) => dialog(page).getByLabel('Address').waitFor()),
    'organization-loading': after(unanswered('**/api/organization'), at('/distributor', press('Organization'))),
    'organization-failed': after(refused('**/api/organization'), at('/distributor', press('Organization'), reads('Oops'))),

    customers: at(customers),
    'customers-loading': loading(customers, people),
    'customers-failed': after(refused(people), at(customers)),
    'customers-filtered': at(`${customers}&customers.email=ab`),
    'customers-no-match': at(`${customers}&customers.email=xyz`, reads('No customers match "xyz".')),
    'customers-menu': at(customers, press(/^More actions for/)),
    'customers-clean-up': at(customers, press('Clean Up')),
    'customers-clean-up-joined': at(customers, press('Clean Up'), (page) =>
      dialog(page).getByRole('button', { name: 'Joined by link' }).click(),
    ),
    'customers-clean-up-chosen': at(customers, press('Clean Up'), (page) => dialog(page).getByRole('checkbox').first().check()),
    'customers-unlocked': at(customers, saved('**/unlock', 204, ''), press(/^Unlock/), reads('Unlocked')),
    'customers-disable': at(customers, press(/^More actions for/), press('Disable'), reads(/^Disable .*\?$/)),
    'customer-address': at(customers, more('rhernandez@mail.test'), press('Correct address')),
    'customer-address-refused': at(
      customers,
      saved('**/api/users/customer/*', 409, taken),
      more('rhernandez@mail.test'),
      press('Correct address'),
      email('rivka.abramov@mail.test'),
      submit('Save and invite'),
      reads(taken),
    ),
    'add-customer': at(customers, addCustomer),
    'add-customer-invalid': at(customers, addCustomer, submit('Add Customer'), reads('Invalid email address')),
    'add-customer-refused': at(
      customers,
      saved(people, 201, [{ success: false, error: taken, email: 'rivka.abramov@mail.test' }]),
      addCustomer,
      email('rivka.abramov@mail.test'),
      submit('Add Customer'),
      reads(taken),
    ),
    'add-customer-added': at(
      customers,
      saved(people, 201, [{ success: true, userId: 9, email: 'new@mail.test' }]),
      addCustomer,
      email('new@mail.test'),
      submit('Add Customer'),
      reads('Customer created successfully'),
    ),
    'join-link': at(customers, press('Join Link'), qrCode),
    'join-link-loading': after(unanswered(joinLink), at(customers, press('Join Link'))),
    'join-link-failed': after(refused(joinLink), at(customers, press('Join Link'), reads('Oops'))),
    'join-link-off': after(answered(joinLink, 200, { url: null }), at(customers, press('Join Link'), reads(/Joining is turned off/))),
    'join-link-renew': at(customers, press('Join Link'), press('Renew'), reads('Make a new join link?')),
    'join-link-stop': at(customers, press('Join Link'), press('Turn off'), reads('Turn the join link off?')),
    'join-link-sheet': at(customers, press('Join Link'), qrCode, (page) => page.emulateMedia({ media: 'print' })),
    'join-requests': after(answered(joinRequests, 200, WAITING), at(customers, press('Join Link'), reads(/Waiting to confirm/))),
    'join-requests-clear': after(
      answered(joinRequests, 200, WAITING),
      at(customers, press('Join Link'), press('Clear requests'), reads('Clear all join requests?')),
    ),
    agents: at(agents),
    'add-user': at(agents, press('Add User')),
    'distributor-account': at('/distributor', press('Account')),
  }),
  ...IMPORT,
  ...MAIL,
  ...SECOND_FACTOR_STATES,

  ...statesOf('agent', 'none', { 'agent-none': at('/agent') }),
  ...statesOf('agent', 'few', { agent: at('/agent') }),
];
