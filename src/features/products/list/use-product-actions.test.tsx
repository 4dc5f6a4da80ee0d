import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { makeOrder } from '../../../../test/data/order-rows.ts';
import { LOST_REPLY, losingReply } from '../../../../test/losing-reply.ts';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp } from '../../../../test/test-app.ts';
import type { Call } from '../../../client/api/fetch.ts';
import { DistributionPage } from '../../distributions/distribution-page.tsx';
import { clearQuantities, offerProduct } from '../contract.ts';
import { ProductsTab } from './products-tab.tsx';

const testApp = setupTestApp();
beforeEach(freshDevice);

/** Opens the Products tab of a distribution whose product Brisket is ordered in this quantity. */
async function openTab(quantity: number, toCall = (call: Call) => call) {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket' });
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, quantity]]);
  navigate(`/distributor/distribution/${distribution.id}?tab=products`);
  showScreen(toCall(await testApp.as(distributor)), '/distributor/distribution/:id', () => (
    <DistributionPage waiting={null}>{(read) => <ProductsTab distribution={read} />}</DistributionPage>
  ));
  return brisket;
}
const openMenu = async () => fireEvent.keyDown(await screen.findByRole('button', { name: 'More actions for Brisket' }), { key: 'Enter' });
const choose = async (name: string) => fireEvent.click(await screen.findByRole('menuitem', { name }));

test('the confirmation before a product is deleted does not claim that the product was never ordered; a product that was ordered is kept (contract §4)', async () => {
  const brisket = await openTab(0);
  await openMenu();
  await choose('Delete');
  const question = await screen.findByRole('alertdialog', { name: 'Delete Brisket?' });
  expect(question.textContent).toContain('A product that was never ordered is deleted for good. A product that was ordered is kept.');
  fireEvent.click(within(question).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('This product was ordered, so it cannot be deleted. It can be offered no more.')).toBeTruthy();
  expect(await testApp.db.selectFrom('products').select('name').where('id', '=', brisket.id).execute()).toEqual([{ name: 'Brisket' }]);
});

test('a product whose withdrawal got no reply is shown as withdrawn beside the error (contract §4)', async () => {
  await openTab(0, (call) => losingReply(call, (endpoint) => endpoint === offerProduct));
  await openMenu();
  await choose('Not offered any more');
  await screen.findByText(LOST_REPLY);
  await openMenu();
  expect(await screen.findByRole('menuitem', { name: 'Offer again' })).toBeTruthy();
});

test('a product whose cleared quantities got no reply is shown without ordered units beside the error (spec §2)', async () => {
  await openTab(3, (call) => losingReply(call, (endpoint) => endpoint === clearQuantities));
  const row = within(await screen.findByRole('row', { name: /Brisket/ }));
  expect(row.getByText('3')).toBeTruthy();
  fireEvent.click(row.getByRole('button', { name: /Clear/ }));
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: /Clear/ }));
  await screen.findByText(LOST_REPLY);
  await waitFor(() => expect(row.queryByText('3')).toBeNull());
});
