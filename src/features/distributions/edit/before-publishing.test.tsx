import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import { cents } from '../../../domain/money.ts';
import type { Row } from '../../../server/database/schema.ts';
import { offerProduct } from '../../products/contract.ts';
import { DistributionPage } from '../distribution-page.tsx';
import { DistributionState } from './distribution-state.tsx';

const testApp = setupTestApp();

let distributor: Person;
let draft: Row<'distributions'>;

beforeEach(async () => {
  freshDevice();
  distributor = await makeDistributor(testApp.db);
  draft = await makeDistribution(testApp.db, distributor, { published: false, date: '2999-04-15' });
  await makeProduct(testApp.db, draft, { name: 'Brisket', unit_price: cents(1299) });
});

const addFree = async (name: string): Promise<Row<'products'>> => await makeProduct(testApp.db, draft, { name, unit_price: cents(0) });

async function open(): Promise<void> {
  navigate(`/distributor/distribution/${draft.id}`);
  showScreen(await testApp.as(distributor), '/distributor/distribution/:id', () => (
    <DistributionPage waiting={null}>{(read) => <DistributionState distribution={read} />}</DistributionPage>
  ));
}

test('a draft names the offered products that have no price, and is published with one click all the same', async () => {
  await addFree('Turkey');
  const { id: productId } = await addFree('Veal');
  const params = { id: draft.id, productId };
  await (
    await testApp.as(distributor)
  )(offerProduct, { params, body: { notOffered: true } });
  await open();
  expect(await screen.findByText('1 product has no price: Turkey.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Publish' }));
  expect(await screen.findByRole('button', { name: 'Unpublish' })).toBeTruthy();
  const published = testApp.db.selectFrom('distributions').select('published').where('id', '=', draft.id);
  await waitFor(async () => expect(await published.executeTakeFirst()).toEqual({ published: true }));
  expect(screen.queryByText(/no price/)).toBeNull();
});

test('of many products without a price, a draft names the first three and says how many more there are', async () => {
  for (const name of ['Veal', 'Turkey', 'Lamb', 'Chuck', 'Duck']) await addFree(name);
  await open();
  expect(await screen.findByText('5 products have no price: Chuck; Duck; Lamb; and 2 more.')).toBeTruthy();
});
