import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { freshDevice, showScreen } from '../../../test/screen.tsx';
import { makeCall } from '../../client/api/fetch.ts';
import { WaitingCard } from './waiting-card.tsx';

test('when the waiting list could not be loaded, the Products tab says so, and lists the waiting customers after Try again (contract §12)', async () => {
  freshDevice();
  navigate('/distributor');
  let isBusy = true;
  const rivka = { id: 7, firstName: 'Rivka', lastName: 'Abramov', email: null };
  const entry = {
    productId: 1,
    productName: 'Brisket',
    quantity: 2,
    createdAt: '2027-03-01T14:00:00.000Z',
    heldQuantity: 0,
    heldUntil: null,
  };
  const fetch = async (path: string): Promise<Response> => {
    if (path === '/api/user') return Response.json({ id: 1, email: 'office@bethel.test', role: 'distributor', distributorId: null });
    return isBusy ? new Response('The server is busy.', { status: 503 }) : Response.json([{ ...entry, customer: rivka }]);
  };
  showScreen(makeCall({ host: '', fetch }), '/distributor', () => <WaitingCard distributionId={5} timeZone={null} />);
  expect((await screen.findByRole('alert')).textContent).toBe('The waiting list could not be loaded: The server is busy. Try again');
  isBusy = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Abramov, Rivka')).toBeTruthy();
});
