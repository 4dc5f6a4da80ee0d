import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../../test/screen.tsx';
import { makeCall } from '../../client/api/fetch.ts';
import { PriceChanges } from './price-changes.tsx';

const USER = { id: 7, email: 'office@bethel.test', role: 'distributor', distributorId: null };
const DELIVERY = { name: 'Delivery', type: 'flat', amount: 500, sort_order: 0 };
const CHANGE = { name: 'Delivery', updatedAt: '2027-04-01T12:00:00.000Z', email: USER.email, productId: null, feeId: 3, before: null };
const Changes = () => <PriceChanges distributionId={9} />;

beforeEach(() => {
  freshDevice();
  navigate('/distributor');
});

test('the dialog of price changes loads a long history in several requests, and says when no product or fee matches the filter (contract §4)', async () => {
  const changes = Array.from({ length: 130 }, (_, index) => ({ ...CHANGE, key: `${130 - index}`, id: 130 - index, after: DELIVERY }));
  const asked: string[] = [];
  const partOf = ({ search, searchParams }: URL) => {
    asked.push(search);
    const rest = changes.filter(({ id }) => id < Number(searchParams.get('after') || 1000));
    return rest.slice(0, Number(searchParams.get('limit')));
  };
  const fetch = async (path: string): Promise<Response> =>
    Response.json(path === '/api/user' ? USER : partOf(new URL(path, 'http://localhost')));
  showScreen(makeCall({ host: '', fetch }), '/distributor', Changes);
  fireEvent.click(await screen.findByText('Price changes'));
  fireEvent.click(await screen.findByRole('button', { name: 'Show older changes' }));
  expect(await screen.findByText('No older change is recorded.')).toBeTruthy();
  expect(asked).toEqual(['?limit=100', '?after=31&limit=100']);
  expect([...document.querySelectorAll('thead th')].map(({ textContent }) => textContent)).toEqual([
    'Product or fee',
    'Change',
    'When',
    'Who',
  ]);
  fireEvent.click(screen.getByTitle('Filter by Product or fee'));
  fireEvent.change(screen.getByPlaceholderText('Filter'), { target: { value: 'brisket' } });
  expect(screen.getByText('No price changes match "brisket".')).toBeTruthy();
});
