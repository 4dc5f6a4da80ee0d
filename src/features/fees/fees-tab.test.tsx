import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeDistribution, makeDistributor } from '../../../test/data/factories.ts';
import { LOST_REPLY, losingReply } from '../../../test/losing-reply.ts';
import { freshDevice, readOthersChange, showScreen } from '../../../test/screen.tsx';
import { setupTestApp } from '../../../test/test-app.ts';
import { addFee, changeFee, deleteFee, listFees } from './contract.ts';
import { FeesTab } from './fees-tab.tsx';

const testApp = setupTestApp();
beforeEach(freshDevice);

test('the Fees tab keeps a change that another window made to a fee while the dialog of that fee was open (spec §3; contract §4)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { id } = await makeDistribution(testApp.db, distributor);
  const call = await testApp.as(distributor);
  const fee = await call(addFee, { params: { id }, body: { name: 'Delivry', type: 'flat', sort_order: 0, amount: 1000 } });
  navigate('/distributor');
  showScreen(call, '/distributor', () => <FeesTab distributionId={id} />);
  fireEvent.click(await screen.findByRole('button', { name: /Edit.*Delivry/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Fee' }));
  await call(changeFee, { params: { id, feeId: fee.id }, body: { amount: 1500 } });
  fireEvent.input(dialog.getByLabelText('Name'), { target: { value: 'Delivery' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Update Fee' }));
  await screen.findByText('Fee updated successfully');
  expect(await call(listFees, { params: { id } })).toMatchObject([{ name: 'Delivery', type: 'flat', sort_order: 0, amount: 1500 }]);
});

test('a fee is changed only once, even if the user clicks Update Fee again while its preview is being computed (contract §4)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { id } = await makeDistribution(testApp.db, distributor);
  const call = await testApp.as(distributor);
  await call(addFee, { params: { id }, body: { name: 'Delivery', type: 'flat', sort_order: 0, amount: 1000 } });
  navigate('/distributor');
  let changes = 0;
  const counted: typeof call = (endpoint, ...rest) => {
    if ((endpoint as unknown) === changeFee) changes++;
    return call(endpoint, ...rest);
  };
  showScreen(counted, '/distributor', () => <FeesTab distributionId={id} />);
  fireEvent.click(await screen.findByRole('button', { name: /Edit.*Delivery/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Fee' }));
  fireEvent.input(dialog.getByLabelText('Amount'), { target: { value: '15' } });
  for (let click = 0; click < 4; click++) {
    fireEvent.click(dialog.getByRole('button', { name: 'Update Fee' }));
    await Promise.resolve();
  }
  await screen.findByText('Fee updated successfully');
  expect(changes).toBe(1);
});

test('the Fees tab does not make a fee flat that another window has changed to percent meanwhile; the dialog shows that fee before the next save replaces it (contract §4, §7)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { id } = await makeDistribution(testApp.db, distributor);
  const call = await testApp.as(distributor);
  const fee = await call(addFee, { params: { id }, body: { name: 'Hall', type: 'flat', sort_order: 0, amount: 500 } });
  const now = async () => (await call(listFees, { params: { id } }))[0];
  navigate('/distributor');
  showScreen(call, '/distributor', () => <FeesTab distributionId={id} />);
  fireEvent.click(await screen.findByRole('button', { name: /Edit.*Hall/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Fee' }));
  await call(changeFee, { params: { id, feeId: fee.id }, body: { name: 'Hall and ice', type: 'percent', amount: 400 } });
  fireEvent.input(dialog.getByLabelText('Amount'), { target: { value: '6' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Update Fee' }));
  expect(await screen.findByText(/Hall and ice was changed by somebody else meanwhile\. Nothing is saved\.$/)).toBeTruthy();
  expect(await dialog.findByText('Saved meanwhile: Percent. Saving replaces it with yours.')).toBeTruthy();
  expect(dialog.getByText('Saved meanwhile: 4%. Saving replaces it with yours.')).toBeTruthy();
  expect(await now()).toMatchObject({ type: 'percent', amount: 400 });
  await readOthersChange();
  fireEvent.click(dialog.getByRole('button', { name: 'Update Fee' }));
  await screen.findByText('Fee updated successfully');
  expect(await now()).toMatchObject({ name: 'Hall and ice', type: 'flat', amount: 600 });
});

test('undoing the deletion of a fee restores the amount that another window has saved before the deletion (contract §7)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { id } = await makeDistribution(testApp.db, distributor);
  const call = await testApp.as(distributor);
  const fee = await call(addFee, { params: { id }, body: { name: 'Hall', type: 'flat', sort_order: 0, amount: 500 } });
  navigate('/distributor');
  showScreen(call, '/distributor', () => <FeesTab distributionId={id} />);
  const remove = await screen.findByRole('button', { name: /Delete.*Hall/ });
  await call(changeFee, { params: { id, feeId: fee.id }, body: { name: 'Hall and ice', amount: 900 } });
  fireEvent.click(remove);
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText('Fee added successfully');
  expect(await call(listFees, { params: { id } })).toMatchObject([{ name: 'Hall and ice', type: 'flat', sort_order: 0, amount: 900 }]);
});

test('the name of the next fee that is typed while a fee is being added stays, and the other fields are cleared (spec §2)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { id } = await makeDistribution(testApp.db, distributor);
  const call = await testApp.as(distributor);
  const reply = Promise.withResolvers<void>();
  const slow: typeof call = async (endpoint, ...rest) => {
    if ((endpoint as unknown) === addFee) await reply.promise;
    return await call(endpoint, ...rest);
  };
  navigate('/distributor');
  showScreen(slow, '/distributor', () => <FeesTab distributionId={id} />);
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  const amount = screen.getByLabelText<HTMLInputElement>('Amount');
  const add = screen.getByRole('button', { name: 'Add Fee' });
  fireEvent.input(name, { target: { value: 'Hall' } });
  fireEvent.input(amount, { target: { value: '5' } });
  fireEvent.click(add);
  await waitFor(() => expect(add.getAttribute('aria-busy')).toBe('true'));
  fireEvent.input(name, { target: { value: 'Ice' } });
  reply.resolve();
  await screen.findByText('Fee added successfully');
  await waitFor(() => expect([name.value, amount.value]).toEqual(['Ice', '0']));
});

test('a fee whose deletion got no reply is no longer listed beside the error (contract §7)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { id } = await makeDistribution(testApp.db, distributor);
  const call = await testApp.as(distributor);
  await call(addFee, { params: { id }, body: { name: 'Hall', type: 'flat', sort_order: 0, amount: 500 } });
  navigate('/distributor');
  showScreen(
    losingReply(call, (endpoint) => endpoint === deleteFee),
    '/distributor',
    () => <FeesTab distributionId={id} />,
  );
  fireEvent.click(await screen.findByRole('button', { name: /Delete.*Hall/ }));
  await screen.findByText(LOST_REPLY);
  await waitFor(() => expect(screen.queryByRole('button', { name: /Delete.*Hall/ })).toBeNull());
});
