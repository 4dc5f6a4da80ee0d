import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { makeCall } from '../../../client/api/fetch.ts';
import { UsersTab } from './users-tab.tsx';

const OFFICE = { id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: null };
const RIVKA = {
  userId: 11,
  email: 'rivka@mail.test',
  firstName: 'Rivka',
  lastName: 'Abramov',
  lockedUntil: null,
  hasSignedIn: false,
  isInvited: true,
  isDisabled: false,
};
const Customers = () => <UsersTab people="customer" />;

let files: Blob[] = [];
beforeEach(() => {
  freshDevice();
  navigate('/distributor');
  files = [];
  URL.createObjectURL = (file) => `blob:${files.push(file as Blob)}`;
  URL.revokeObjectURL = () => undefined;
  HTMLAnchorElement.prototype.click = () => undefined;
});

async function open(post: (path: string) => Promise<Response>, lastUpload: () => object | null = () => null): Promise<void> {
  const fetch = async (path: string, { method }: RequestInit): Promise<Response> => {
    if (method === 'POST') {
      const response = path === '/api/customer-uploads' ? Response.json({ id: 1 }) : await post(path);
      response.headers.set('x-request-id', 'id-1');
      return response;
    }
    if (path === '/api/customer-uploads') return Response.json(lastUpload());
    return Response.json(path === '/api/user' ? OFFICE : [RIVKA]);
  };
  showScreen(makeCall({ host: '', fetch }), '/distributor', Customers);
  await screen.findByText('rivka@mail.test');
}
const click = (text: string): void => void fireEvent.click(screen.getByText(text));

test("the menu of a person's row sends an invitation again (contract §3)", async () => {
  const posted: string[] = [];
  await open(async (path) => {
    posted.push(path);
    return new Response(null, { status: 204 });
  });
  fireEvent.keyDown(screen.getByLabelText('More actions for rivka@mail.test'), { key: 'Enter' });
  fireEvent.click(await screen.findByText('Send invitation again'));
  expect(await screen.findByText('Invitation sent again')).toBeTruthy();
  expect(posted).toEqual(['/api/users/customer/11/invite']);
});

test('the Customers tab previews a file of people row by row, continues the import while other tabs are open, and counts refused rows as not created (spec §8)', async () => {
  let answer: (created: Response) => void = () => undefined;
  await open(() => new Promise((resolve) => (answer = resolve)));
  click('Bulk Operations');
  expect(screen.getByLabelText('Steps').textContent).toBe('1. File2. Check3. Import');
  expect(screen.getByText('or drop it here, up to 5 MB and 20,000 rows')).toBeTruthy();
  const file = new File(['email,firstName\nnew@mail.test,Noa\n,Nobody\n'], 'people.csv');
  const choose = (): void => void fireEvent.change(screen.getByLabelText('Choose a CSV file'), { target: { files: [file] } });
  choose();
  expect(screen.getByLabelText('Reading the file')).toBeTruthy();
  fireEvent.click(await screen.findByText('Choose another file'));
  choose();
  expect(await screen.findByText('Invite now')).toBeTruthy();
  expect(screen.getByText('Nobody').closest('li')?.textContent).toContain('Line 3: No e-mail address');
  // This row has no e-mail address, so it is dropped unless the user ticks the box (spec §5).
  const choice = screen.getByLabelText('Import 1 customer without an e-mail address as well');
  expect((choice as HTMLInputElement).checked).toBe(false);
  fireEvent.click(choice);
  expect(screen.getByText('Import 2 customers and invite 1')).toBeTruthy();
  fireEvent.click(choice);
  click('Import and invite 1 customer');
  fireEvent.click(await screen.findByText('Continue in the background'));
  click('Show the import');
  answer(Response.json([{ email: 'new@mail.test', success: false }]));
  expect((await screen.findAllByText('No customers new were created')).length).toBeGreaterThan(0);
  expect(await files[0]?.text()).toContain('new@mail.test,Noa,,,,,,,Not created\r\n,Nobody,,,,,,,No e-mail address\r\n');
});

/**
 * Undoes the last upload. The reply says that `stayed` customers were not removed, and lists two of them. Returns the text of the list in the
 * tab.
 */
async function undoUpload(stayed: number): Promise<string | null | undefined> {
  let upload: object | null = { id: 3, finishedAt: '2027-03-01T14:00:00.000Z', added: 12 };
  const posted: string[] = [];
  await open(
    async (path) => {
      posted.push(path);
      upload = null;
      const { userId, email, firstName, lastName } = RIVKA;
      const kept = [
        { userId, email, firstName, lastName, reason: 'ordered' },
        { userId: 12, email: 'noa@mail.test', firstName: null, lastName: null, reason: 'signed-in' },
      ];
      return Response.json({ removed: 10, stayed, kept });
    },
    () => upload,
  );
  click('Bulk Operations');
  expect((await screen.findByText(/^Last upload, /)).textContent).toContain('12 customers added.');
  click('Undo this upload');
  expect(posted).toEqual([]);
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByText('Undo this upload'));
  const list = (await screen.findByText(/ customers stayed:$/)).parentElement;
  expect(posted).toEqual(['/api/customer-uploads/3/undo']);
  await waitFor(() => expect(screen.queryByText(/^Last upload, /)).toBeNull());
  return list?.textContent;
}

test('the Customers tab undoes the last upload after a confirmation, and lists the customers who were not removed, each with the reason', async () => {
  expect(await undoUpload(2)).toBe('2 customers stayed:Abramov, Rivkahas orderednoa@mail.testhas signed in');
  expect(screen.getByText('10 customers removed. 2 stayed.')).toBeTruthy();
});

test('after an undo whose reply lists only some of the customers who were not removed, the Customers tab says how many more there are (reliability abuse)', async () => {
  const listed = 'Abramov, Rivkahas orderednoa@mail.testhas signed in';
  expect(await undoUpload(1503)).toBe(`1,503 customers stayed:${listed}and 1,501 more customers.`);
  expect(screen.getByText('10 customers removed. 1,503 stayed.')).toBeTruthy();
});

test("the menu of an agent's row allows the agent to take payments; the row then says so (contract §14)", async () => {
  const sent: unknown[] = [];
  let agent: object = { ...RIVKA, hasSignedIn: true };
  const fetch = async (path: string, { method, body }: RequestInit): Promise<Response> => {
    if (method === 'PATCH') {
      sent.push([path, JSON.parse(body as string)]);
      agent = { ...agent, mayTakePayments: true };
      return Response.json(agent);
    }
    return Response.json(path === '/api/user' ? OFFICE : [agent]);
  };
  showScreen(makeCall({ host: '', fetch }), '/distributor', () => <UsersTab people="agent" />);
  await screen.findByText('rivka@mail.test');
  expect(screen.queryByText('Takes payments')).toBeNull();
  fireEvent.keyDown(screen.getByLabelText('More actions for rivka@mail.test'), { key: 'Enter' });
  fireEvent.click(await screen.findByText('Allow taking payments'));
  expect(await screen.findByText('Payments allowed')).toBeTruthy();
  expect(sent).toEqual([['/api/users/agent/11', { mayTakePayments: true }]]);
  expect(await screen.findByText('Takes payments')).toBeTruthy();
});
