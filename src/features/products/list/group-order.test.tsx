import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { freshDevice, readOthersChange, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import type { Row } from '../../../server/database/schema.ts';
import { changeDistribution } from '../../distributions/contract.ts';
import { DistributionPage } from '../../distributions/distribution-page.tsx';
import { ProductsTab } from './products-tab.tsx';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  freshDevice();
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
});

async function openTab(): Promise<void> {
  navigate(`/distributor/distribution/${distribution.id}?tab=products`);
  showScreen(await testApp.as(distributor), '/distributor/distribution/:id', () => (
    <DistributionPage waiting={null}>{(read) => <ProductsTab distribution={read} />}</DistributionPage>
  ));
}

const button = (name: string) => within(screen.getByRole('dialog')).getByRole<HTMLButtonElement>('button', { name });
const listed = () => screen.getAllByRole('listitem').map((item) => item.textContent);
const savedOrder = async () => {
  const rows = await testApp.db.selectFrom('distributions').select('groupOrder').where('id', '=', distribution.id).execute();
  return rows[0]?.groupOrder;
};
const groupOptions = async () => {
  const select = await screen.findByRole('combobox', { name: 'Group' });
  return [...select.querySelectorAll('option')].map((option) => option.textContent);
};

test('the Products tab moves groups up and down with the focus on them, saves and shows their order, and can restore the alphabetical order (contract §4)', async () => {
  for (const product_group of ['Beef', 'Cheese', 'Wine', null]) await makeProduct(testApp.db, distribution, { product_group });
  await openTab();
  expect(await groupOptions()).toEqual(['Beef', 'Cheese', 'Wine', 'Other', 'All groups']);
  fireEvent.click(screen.getByRole('button', { name: 'Order of groups' }));
  expect(listed()).toEqual(['Beef', 'Cheese', 'Wine']);
  expect(screen.queryByRole('button', { name: 'Sort by alphabet' })).toBeNull();
  expect([button('Move Beef up').disabled, button('Move Wine down').disabled]).toEqual([true, true]);
  fireEvent.click(button('Move Wine up'));
  expect(listed()).toEqual(['Beef', 'Wine', 'Cheese']);
  expect(document.activeElement).toBe(button('Move Wine up'));
  fireEvent.click(button('Move Wine up'));
  expect(listed()).toEqual(['Wine', 'Beef', 'Cheese']);
  expect(document.activeElement).toBe(button('Move Wine down'));
  expect(screen.getByText('Wine: 1 of 3')).toBeTruthy();
  fireEvent.click(button('Move Beef down'));
  expect(document.activeElement).toBe(button('Move Beef up'));
  fireEvent.click(button('Save'));
  expect(await screen.findByText('Order of groups saved')).toBeTruthy();
  expect(await savedOrder()).toEqual(['Wine', 'Cheese', 'Beef']);
  await waitFor(async () => expect(await groupOptions()).toEqual(['Wine', 'Cheese', 'Beef', 'Other', 'All groups']));

  fireEvent.click(screen.getByRole('button', { name: 'Order of groups' }));
  // The dialog shows the saved sequence only after the distribution was read again. The distribution and the products are read by separate
  // requests.
  await waitFor(() => button('Sort by alphabet'));
  fireEvent.click(button('Sort by alphabet'));
  await waitFor(async () => expect(await savedOrder()).toBeNull());
  await waitFor(async () => expect(await groupOptions()).toEqual(['Beef', 'Cheese', 'Wine', 'Other', 'All groups']));
});

test('the Products tab asks before the dialog closes when the order of the groups is not saved', async () => {
  for (const product_group of ['Beef', 'Wine']) await makeProduct(testApp.db, distribution, { product_group });
  await openTab();
  fireEvent.click(await screen.findByRole('button', { name: 'Order of groups' }));
  fireEvent.click(button('Move Beef down'));
  fireEvent.click(button('Cancel'));
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await savedOrder()).toBeNull();
});

test('the Products tab does not offer to sort the product groups when there are fewer than two groups', async () => {
  for (const product_group of ['Beef', null]) await makeProduct(testApp.db, distribution, { product_group });
  await openTab();
  expect(await groupOptions()).toEqual(['Beef', 'Other', 'All groups']);
  expect(screen.queryByRole('button', { name: 'Order of groups' })).toBeNull();
});

async function upload(text: string, saveButton: string): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: 'Upload CSV' }));
  fireEvent.change(screen.getByLabelText('Choose a CSV file'), { target: { files: [new File([text], 'some.csv')] } });
  fireEvent.click(await screen.findByRole('button', { name: saveButton }));
  expect(await screen.findAllByText('Bulk product update completed')).not.toHaveLength(0);
  fireEvent.click(await screen.findByRole('button', { name: 'Done' }));
}

test('the Products tab sets the group order from the first imported file, and not from later ones (contract §4)', async () => {
  await openTab();
  await upload('name,product_group\nMerlot,Wine\nBrisket,Beef\nCandles,\nSyrah,Wine\nCheddar,Cheese\n', 'Save 5 products');
  expect(await savedOrder()).toEqual(['Wine', 'Beef', 'Cheese']);
  await waitFor(async () => expect(await groupOptions()).toEqual(['Wine', 'Beef', 'Cheese', 'Other', 'All groups']));
  await upload('name,product_group\nApples,Fruit\n', 'Save 1 product');
  expect(await savedOrder()).toEqual(['Wine', 'Beef', 'Cheese']);
});

test('the Products tab keeps a group order that was set before the first import (contract §4)', async () => {
  await testApp.db
    .updateTable('distributions')
    .set({ groupOrder: ['Beef'] })
    .where('id', '=', distribution.id)
    .execute();
  await openTab();
  await upload('name,product_group\nMerlot,Wine\nBrisket,Beef\n', 'Save 2 products');
  expect(await savedOrder()).toEqual(['Beef']);
});

test('the dialog of the group order saves nothing while nothing is moved, and does not replace an order that another window has saved meanwhile (contract §4)', async () => {
  for (const product_group of ['Beef', 'Fish', 'Wine']) await makeProduct(testApp.db, distribution, { product_group });
  await openTab();
  fireEvent.click(await screen.findByRole('button', { name: 'Order of groups' }));
  expect(button('Save').disabled).toBe(true);
  const call = await testApp.as(distributor);
  await call(changeDistribution, { params: { id: distribution.id }, body: { groupOrder: ['Wine', 'Fish', 'Beef'] } });
  fireEvent.click(button('Move Beef down'));
  fireEvent.click(button('Save'));
  expect(await screen.findByText(/was changed by somebody else meanwhile\. Nothing is saved\.$/)).toBeTruthy();
  expect(await screen.findByText('Saved meanwhile: Wine, Fish, Beef. Saving replaces it with yours.')).toBeTruthy();
  expect(await savedOrder()).toEqual(['Wine', 'Fish', 'Beef']);
  await readOthersChange();
  fireEvent.click(button('Save'));
  await waitFor(async () => expect(await savedOrder()).toEqual(['Fish', 'Beef', 'Wine']));
});
