import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { freshDevice, showScreen } from '../../../test/screen.tsx';
import { setupTestApp } from '../../../test/test-app.ts';
import { LOST_REPLY, losingReply } from '../../../test/losing-reply.ts';
import { DistributionPage } from '../distributions/distribution-page.tsx';
import { ProductsTab } from '../products/list/products-tab.tsx';

const testApp = setupTestApp();

test('when the reply to a short delivery is lost, the dialog shows how many units are ordered now (contract §16)', async () => {
  freshDevice();
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket' });
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 6]]);
  const call = await testApp.as(distributor);
  navigate(`/distributor/distribution/${distribution.id}?tab=products`);
  showScreen(
    losingReply(call, (_endpoint, reply) => Object(reply).applied === true),
    '/distributor/distribution/:id',
    () => <DistributionPage waiting={null}>{(distribution) => <ProductsTab distribution={distribution} />}</DistributionPage>,
  );
  fireEvent.keyDown(await screen.findByRole('button', { name: 'More actions for Brisket' }), { key: 'Enter' });
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Short delivery' }));
  fireEvent.change(await screen.findByLabelText('Units that came'), { target: { value: '4' } });
  fireEvent.click(screen.getByRole('button', { name: 'Show who gets how many' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Lower 1 order' }));
  await screen.findByText(LOST_REPLY);
  expect(await screen.findByText(/^4 units are ordered/)).toBeTruthy();
});
