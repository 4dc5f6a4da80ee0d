// Tests the search of the counter while something else happens: another station hands an order over, or a family is open whose payment or
// weight staff have typed (contract §14).
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupCounter } from '../../../test/open-counter.tsx';
import { showScreen } from '../../../test/screen.tsx';
import { setPickedUp } from '../pick-up/contract.ts';
import { CounterPage } from './counter-page.tsx';

const { testApp, day } = setupCounter();

/** Opens the counter with the families Abramov, Becker and Cohen, and returns the search field. */
async function openCounterOfThree(): Promise<HTMLInputElement> {
  const [brisket] = await testApp.db.selectFrom('products').selectAll().where('distributionId', '=', day.distribution.id).execute();
  for (const lastName of ['Becker', 'Cohen']) {
    const customer = await makeCustomer(testApp.db, day.distributor, { lastName });
    await makeOrder(testApp.db, day.distribution, customer, [[brisket as never, 2]]);
  }
  navigate(`/distributor/distribution/${day.distribution.id}/counter`);
  showScreen(await testApp.as(day.distributor), '/:role/distribution/:id/counter', CounterPage);
  return await screen.findByRole('combobox', { name: 'Find a family' });
}

test.each([
  ['the first one', 0, 'Abramov'],
  ['the one that staff have chosen with the arrow keys', 1, 'Becker'],
])(
  'when another station hands an order over, the found families keep their places, and Enter opens %s (reliability abuse)',
  async (_, downs, opened) => {
    const search = await openCounterOfThree();
    // Every address of a customer in the tests contains this text.
    fireEvent.change(search, { target: { value: '@' } });
    const names = () => screen.getAllByRole('option').map(({ textContent }) => /^[A-Z][a-z]+/.exec(textContent ?? '')?.[0]);
    const chosen = () => screen.getByRole('option', { selected: true }).textContent;
    expect(names()).toEqual(['Abramov', 'Becker', 'Cohen']);
    for (let down = 0; down < downs; down++) fireEvent.keyDown(search, { key: 'ArrowDown' });
    expect(chosen()).toContain(opened);
    const elsewhere = await testApp.as(day.distributor);
    await elsewhere(setPickedUp, { params: { orderId: day.order.id }, body: { pickedUp: true } });
    act(() => void dispatchEvent(new Event('online')));
    await waitFor(() => expect(screen.getByText('Picked up')).toBeTruthy());
    expect([names(), chosen()]).toEqual([['Abramov', 'Becker', 'Cohen'], expect.stringContaining(opened)]);
    expect(document.getElementById(search.getAttribute('aria-activedescendant') ?? '')?.textContent).toContain(opened);
    fireEvent.keyDown(search, { key: 'Enter' });
    expect(await screen.findByRole('heading', { name: new RegExp(`^${opened}`) })).toBeTruthy();
  },
);
