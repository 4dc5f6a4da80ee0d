import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { makeOrder } from '../../../../test/data/order-rows.ts';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp } from '../../../../test/test-app.ts';
import { DistributionPage } from '../../distributions/distribution-page.tsx';
import { ProductsTab } from './products-tab.tsx';

const testApp = setupTestApp();

test('the confirmation before a product is deleted does not claim that the product was never ordered; a product that was ordered is kept (contract §4)', async () => {
  freshDevice();
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket' });
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 0]]);
  navigate(`/distributor/distribution/${distribution.id}?tab=products`);
  showScreen(await testApp.as(distributor), '/distributor/distribution/:id', () => (
    <DistributionPage waiting={null}>{(read) => <ProductsTab distribution={read} />}</DistributionPage>
  ));
  fireEvent.keyDown(await screen.findByRole('button', { name: 'More actions for Brisket' }), { key: 'Enter' });
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const question = await screen.findByRole('alertdialog', { name: 'Delete Brisket?' });
  expect(question.textContent).toContain('A product that was never ordered is deleted for good. A product that was ordered is kept.');
  fireEvent.click(within(question).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('This product was ordered, so it cannot be deleted. It can be offered no more.')).toBeTruthy();
  expect(await testApp.db.selectFrom('products').select('name').where('id', '=', brisket.id).execute()).toEqual([{ name: 'Brisket' }]);
});
