import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeCustomer } from '../../../../test/data/factories.ts';
import { makeOrder } from '../../../../test/data/order-rows.ts';
import { eventually, PICKED_UP, setupCounter } from '../../../../test/open-counter.tsx';
import { addWrites, changeWrites, readWrites } from '../device/counter-db.ts';
import { QueueDialog } from './queue-dialog.tsx';

const { testApp, day, openCounter, queued } = setupCounter();

test('each button of a refused entry has the family and the entry as its description (contract §14)', async () => {
  const becker = await makeOrder(testApp.db, day.distribution, await makeCustomer(testApp.db, day.distributor, { lastName: 'Becker' }), []);
  await addWrites([queued('a', PICKED_UP), { ...queued('b', PICKED_UP), orderId: becker.id }]);
  await changeWrites(await readWrites(), (stored) => ({ ...stored, status: 'refused', reason: 'Overtaken' }));
  const { store, view } = openCounter(day.distributor);
  await eventually(() => expect(view().orders.size).toBe(2));
  render(<QueueDialog open onClose={() => undefined} store={store} isReady onOpenFamily={() => undefined} />);
  for (const name of ['Try again', 'Open the family', 'Discard…']) {
    expect(screen.getAllByRole('button', { name, hidden: true })).toHaveLength(2);
    expect(screen.getByRole('button', { name, description: /^Becker, .+ · /, hidden: true })).toBeTruthy();
  }
});
