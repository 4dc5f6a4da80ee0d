// Lists the visual states of an import of customers: choosing a file, preview, sending, and result.
import { choose, dialog } from '../e2e/people.ts';
import type { VisualState } from './setup/visual-state.ts';
import { after, answered, at, press, reads, saved, unanswered, type Step } from './setup/steps.ts';

const customers = '/distributor?tab=customers';

/** A file with new customers, an existing customer, a customer without an e-mail address, and two invalid rows. */
const MIXED = `E-Mail;First Name;LASTNAME;Street;City;State;ZIP;Phone;Colour
sara.adler@home.test;Sara;Adler;12 Elm St;Teaneck;NJ;07666;201-555-0101;red
noam@home.test;Noam;Berkowitz;4 Cedar Lane;Teaneck;NJ;07666;;blue
rivka.abramov@mail.test;Rivka;Abramov;;;;;;
;Dina;Cohen;;;;;;
nobody@@home;Chaim;;;;;;;
noam@home.test;Noam;Berkowitz;;;;;;
lea.fishman@home.test;;;;;;;;
`;
const LONG = `email,firstName,lastName\n${Array.from({ length: 500 }, (_, n) => `c${n}@home.test,Rivka,Adler ${n}`).join('\n')}\n`;

const file =
  (text: string, name = 'holiday list.csv'): Step =>
  (page) =>
    choose(page, text, name);
const start: Step = async (page, ids) => {
  await saved('**/api/customer-uploads', 201, { id: 1 })(page, ids);
  await dialog(page)
    .getByRole('button', { name: /^Import/ })
    .click();
};

/**
 * Replies to the import in place of the server, so that no customer is created. The reply says that all rows except the third succeeded.
 */
const created: Step = (page) =>
  page.route('**/api/users/customer', (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    const { users } = route.request().postDataJSON() as { users: object[] };
    const refusal = { success: false, error: 'This e-mail address already has an account.' };
    return route.fulfill({
      status: 201,
      json: users.map((user, n) => ({ ...user, ...(n === 2 ? refusal : { success: true, userId: 900 + n }) })),
    });
  });
const noAnswer: Step = (page, ids) => unanswered('**/api/users/customer')(page, ids);
const open = (...steps: Step[]): VisualState['open'] => at(customers, ...steps);

const UPLOAD = { id: 1, finishedAt: '2027-03-01T14:00:00.000Z', added: 120 };
const uploaded = answered('**/api/customer-uploads', 200, UPLOAD);
const person = { userId: 5, email: 'rivka.abramov@mail.test', firstName: 'Rivka', lastName: 'Abramov' };
const KEPT = [
  { ...person, reason: 'ordered' },
  {
    ...person,
    userId: 6,
    firstName: null,
    lastName: null,
    email: 'a.person.with.a.rather.long.address@department.university.example',
    reason: 'signed-in',
  },
  { ...person, userId: 7, firstName: 'Noam', lastName: 'Berkowitz', reason: 'changed' },
];

const OPENS: Record<string, VisualState['open']> = {
  'bulk-operations': open(press('Bulk Operations')),
  'bulk-undo': after(uploaded, open(press('Bulk Operations'), press('Undo this upload'), reads('Undo the last upload?'))),
  'bulk-undone': after(
    uploaded,
    open(
      press('Bulk Operations'),
      press('Undo this upload'),
      answered('**/api/customer-uploads/1/undo', 200, { removed: 117, stayed: KEPT.length, kept: KEPT }),
      async (page) => await page.getByRole('alertdialog').getByRole('button', { name: 'Undo this upload' }).click(),
      reads('3 customers stayed:'),
      async (page) => await page.locator('.toast-close').click(),
    ),
  ),
  'bulk-refused': open(file('name,city\nRivka,Teaneck\n'), reads(/This file has no email column/)),
  'bulk-check': open(file(MIXED), reads('The rows')),
  'bulk-check-many': open(file(LONG), reads('The first 8 rows')),
  'bulk-importing': open(file(LONG), reads('The first 8 rows'), noAnswer, start, reads('Creating customers')),
  'bulk-in-background': open(
    file(LONG),
    reads('The first 8 rows'),
    noAnswer,
    start,
    press('Continue in the background'),
    reads('Creating customers'),
  ),
  'bulk-result': open(created, file(MIXED), reads('The rows'), start, reads(/Created 2 out of 5 customers/)),
  'bulk-result-left': open(created, file(MIXED), reads('The rows'), start, reads(/Created 2 out of 5 customers/), press('Close')),
};

export const IMPORT: readonly VisualState[] = Object.entries(OPENS).map(([name, way]) => ({
  name,
  as: 'distributor',
  rows: 'few',
  open: way,
}));
