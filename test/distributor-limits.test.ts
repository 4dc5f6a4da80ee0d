// These tests check limits that keep one distributor from filling the disk or blocking the server for others (reliability, "growth",
// "freeze").
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { LONGEST_GROUP_ORDER, MOST_DISTRIBUTIONS } from '../src/features/distributions/contract.ts';
import type { Row } from '../src/server/database/schema.ts';
import { makeDistribution, makeDistributor } from './data/factories.ts';
import { longestBlock } from './longest-block.ts';
import { setupTestApp, type Person } from './test-app.ts';

const world = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  distributor = await makeDistributor(world.db);
  distribution = await makeDistribution(world.db, distributor);
});

const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object, by = distributor): Promise<[number, string]> => {
  const { statusCode, body } = await world.request(by, { method, url, ...(payload ? { payload } : {}) });
  return [statusCode, body];
};
const groupsOf = (characters: number, first = 0) =>
  Array.from({ length: characters / 200 }, (_, index) => String(first + index).padStart(200, 'g'));
const patchGroups = (groupOrder: readonly string[]) => send('PATCH', `/api/distributions/${distribution.id}`, { groupOrder });

test('the group order of a distribution has at most 20,000 characters, and long group orders do not block the list or the audit trail (reliability freeze)', async () => {
  const sentence = 'The names of the product groups have more than 20,000 characters together. Shorten some of them.';
  expect(await patchGroups([...groupsOf(LONGEST_GROUP_ORDER), 'x'])).toEqual([400, sentence]);
  expect((await patchGroups(groupsOf(LONGEST_GROUP_ORDER)))[0]).toBe(200);

  await sql`INSERT INTO distributions ("distributorId", name, date, "groupOrder")
    SELECT ${distributor.id}, 'Copy ' || n, '2027-01-01'::date + n, "groupOrder"
    FROM distributions, generate_series(1, ${MOST_DISTRIBUTIONS - 1}::int) n WHERE id = ${distribution.id}`.execute(world.db);
  await sql`INSERT INTO distribution_audit ("distributorId", "distributionId", before, after, "updatedBy")
    SELECT "distributorId", id, groups, groups, ${distributor.id} FROM distributions, generate_series(1, 50),
      LATERAL (SELECT jsonb_build_object('groupOrder', "groupOrder" || "groupOrder" || "groupOrder") AS groups) g
    WHERE id = ${distribution.id}`.execute(world.db);
  for (const url of ['/api/distributions', `/api/distributions/${distribution.id}/audit?limit=1000`]) {
    await send('GET', url);
    const { longest, result } = await longestBlock(() => send('GET', url));
    expect(result[0]).toBe(200);
    expect(longest).toBeLessThan(60);
    expect(result[1].length).toBeLessThan(700_000);
  }
  const list = JSON.parse((await send('GET', '/api/distributions'))[1]) as { groupOrder: string[] | null }[];
  expect(list).toHaveLength(MOST_DISTRIBUTIONS);
  expect([list[0]?.groupOrder?.length, list.at(-1)?.groupOrder]).toEqual([100, null]);
});
