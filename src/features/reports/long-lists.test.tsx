import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../../test/screen.tsx';
import { makeCall } from '../../client/api/fetch.ts';
import { CustomersTab } from './customers/customers-tab.tsx';
import { ReportTab } from './page/report-tab.tsx';

const USER = { id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: null };
const PART = 5000;
const line = (index: number, key?: string) => ({
  email: `family${index}@mail.test`,
  firstName: 'Dina',
  lastName: 'Katz',
  orderId: index,
  productName: index === 7001 ? 'Goose' : 'Brisket',
  productCategory: 'Meat',
  productCode: 101,
  quantity: 2,
  ...(key === undefined ? {} : { key }),
});
const lines = (first: number, count: number, key?: string) =>
  Array.from({ length: count }, (_, index) => line(first + index, index === count - 1 ? key : undefined));

beforeEach(freshDevice);

test('the Report tab loads more than 5,000 lines page by page, and filters, counts and downloads all of them (spec §2; contract §10)', async () => {
  const asked: string[] = [];
  const second = Promise.withResolvers<Response>();
  const fetch = (path: string): Promise<Response> => {
    if (path === '/api/user') return Promise.resolve(Response.json(USER));
    asked.push(path);
    return path.includes('after') ? second.promise : Promise.resolve(Response.json(lines(1, PART, '5000')));
  };
  navigate('/distributor/distribution/9');
  showScreen(makeCall({ host: '', fetch }), '/distributor/distribution/:id', () => <ReportTab distributionId={9} />);
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(screen.queryByRole('table')).toBeNull();
  expect(asked).toEqual(['/api/distributions/9/report?limit=5000', '/api/distributions/9/report?after=5000&limit=5000']);

  second.resolve(Response.json(lines(5001, 2500)));
  await screen.findByRole('table');
  expect(screen.getByText('7,500 ordered lines')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Filter by Product'), { target: { value: 'goose' } });
  await waitFor(() => expect(screen.getByText('1 of 7,500 ordered lines')).toBeTruthy());

  const files: Blob[] = [];
  URL.createObjectURL = (file: Blob | MediaSource) => {
    files.push(file as Blob);
    return 'blob:file';
  };
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  fireEvent.click(screen.getByRole('link', { name: 'Download Report' }));
  const file = (await files[0]?.text()) ?? '';
  expect(file.trim().split('\r\n')).toHaveLength(7501);
  expect(file).toContain('Goose');
});

test('when a later page cannot be loaded, the Report tab shows the error with a retry button instead of a partial list', async () => {
  const fetch = (path: string): Promise<Response> => {
    if (path === '/api/user') return Promise.resolve(Response.json(USER));
    if (path.includes('after')) return Promise.resolve(new Response('The database cannot be reached just now.', { status: 503 }));
    return Promise.resolve(Response.json(lines(1, PART, '5000')));
  };
  navigate('/distributor/distribution/9');
  showScreen(makeCall({ host: '', fetch }), '/distributor/distribution/:id', () => <ReportTab distributionId={9} />);
  expect(await screen.findByText('The database cannot be reached just now.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});

test('the Customers tab sorts customers by name although the pages are loaded by id; customers without a name come last', async () => {
  const NO_ORDER = { order_id: null, order_quantity_count: 0, expected_count: 0, actual_count: 0, orderAmount: 0, balance: 0 };
  const customer = (customer_id: number, last_name: string | null, key?: string) => ({
    ...NO_ORDER,
    customer_id,
    email: `family${customer_id}@mail.test`,
    first_name: null,
    last_name,
    has_all_actuals: true,
    ...(key === undefined ? {} : { key }),
  });
  const fetch = (path: string): Promise<Response> => {
    if (path === '/api/user') return Promise.resolve(Response.json(USER));
    const rows = path.includes('after') ? [customer(4, 'Abel'), customer(5, 'Mizrahi')] : [customer(2, null), customer(3, 'Zweig', '3')];
    return Promise.resolve(Response.json(rows));
  };
  navigate('/distributor/distribution/9');
  showScreen(makeCall({ host: '', fetch }), '/distributor/distribution/:id', () => (
    <CustomersTab distribution={{ id: 9, acceptActuals: false, rehearsal: false }} home="/distributor" />
  ));
  await screen.findByRole('table');
  const emails = [...document.querySelectorAll('tbody tr')].map((row) => /family\d/.exec(row.textContent)?.[0]);
  expect(emails).toEqual(['family4', 'family5', 'family3', 'family2']);
});
