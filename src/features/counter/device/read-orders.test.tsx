// Tests how an open counter reads the orders, and what it sends meanwhile (contract §14).
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually, setupCounter } from '../../../../test/open-counter.tsx';
import { listCounterOrders, readCounter } from '../contract.ts';

const { testApp, day, openCounter, openLoaded, weight, recorded, afterEachCall } = setupCounter();

describe('reads of an open counter (contract §14)', () => {
  test('an entry is sent while a read of the orders runs, so that a long read does not delay it (reliability abuse)', async () => {
    const { store, enter } = await openLoaded();
    const [begun, response] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    onTestFinished(
      afterEachCall(async (endpoint) => {
        if (endpoint !== readCounter) return;
        begun.resolve();
        await response.promise;
      }),
    );
    store.refresh();
    await begun.promise;
    enter(weight(4.5));
    await eventually(async () => expect(await recorded.weights()).toEqual([4.5]));
    response.resolve();
  });

  test('before the first read has shown whose session it is, no entry is sent', async () => {
    await openLoaded();
    const response = Promise.withResolvers<void>();
    onTestFinished(afterEachCall(async (endpoint) => await (endpoint === readCounter ? response.promise : undefined)));
    const { view, states, enter } = openCounter(day.distributor);
    await eventually(() => expect(view().orders.size).toBe(1));
    enter(weight(4.5));
    await pause(300);
    expect(states()).toEqual(['waiting']);
    response.resolve();
    await eventually(async () => expect(await recorded.weights()).toEqual([4.5]));
  });

  test('changes that do not fit into one reply are read in pages; all of them are then on the screen (reliability abuse)', async () => {
    const { store, view } = await openLoaded();
    const replies: unknown[] = [];
    onTestFinished(afterEachCall((endpoint) => replies.push(endpoint)));
    await sql`WITH u AS (INSERT INTO users (email, role, "distributorId")
        SELECT 'many' || n || '-' || ${day.distribution.id}::int || '@mail.test', 'customer', ${day.distributor.id} FROM generate_series(1, 300) n RETURNING id)
      INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
        SELECT ${day.distributor.id}, ${day.distribution.id}, id, id FROM u`.execute(testApp.db);
    await eventually(() => {
      store.refresh();
      expect(view().orders.size).toBe(301);
    });
    expect(replies).not.toContain(listCounterOrders);
  });
});
