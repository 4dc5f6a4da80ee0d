// Lists every kind of flood with which one person, network or distributor could once slow the application for others. When you find a new
// kind of flood, add it here.
import { run } from '../../../src/server/database/db.ts';
import type { TestDatabase } from '../setup/databases.ts';
import { createShop, withDb, type Buyer, type Shop } from '../setup/orders-and-customers.ts';
import { changesOfOrders } from './changes-of-orders.ts';
import { DOTTED_PATH, LONG_BODY, largePicture, MANY_LISTS, MISNESTED } from './flood-bodies.ts';
import type { Flood, FloodRequest, FloodTargets } from './flood.ts';
import {
  FULL_CATALOGUE,
  LONG_CATALOGUE,
  LONG_ORDER,
  MANY_CATALOGUES,
  MARK,
  MORE_CUSTOMERS,
  MORE_DISTRIBUTIONS,
  MORE_ORDERS,
  MORE_PRODUCTS,
} from './flood-rows.ts';

const cookie = (value: string) => ({ cookie: `sid=${value}` });

const JOIN_CODE = 'flooded-join-link';
const openJoinLink = (place: TestDatabase, { distributor }: Shop): Promise<unknown> =>
  withDb(place, (db) => run(db, 'INSERT INTO organizations ("distributorId", "joinCode") VALUES ($1, $2)', [distributor.id, JOIN_CODE]));

const emailOf = (place: TestDatabase, { id }: Buyer): Promise<string | undefined> =>
  withDb(place, async (db) => (await run<{ email: string }>(db, 'SELECT email FROM users WHERE id = $1', [id]))[0]?.email);

const changesOfOwnOrder = ({ shop, attacker }: FloodTargets): FloodRequest[] => changesOfOrders(shop, [attacker]);

export const FLOODS: readonly Flood[] = [
  {
    name: 'short requests without a session',
    parallel: 300,
    requests: () => [{ method: 'GET', path: '/api/user' }],
  },
  {
    name: 'requests for files',
    parallel: 300,
    requests: () => ['none.js', DOTTED_PATH].map((file) => ({ method: 'GET', path: `/assets/${file}` })),
  },
  {
    name: 'lists of 500 distributions by another distributor',
    parallel: 100,
    requests: async ({ place, flooder }) => {
      await withDb(place, (db) => run(db, MORE_DISTRIBUTIONS, [flooder.distributor.id]));
      return [{ method: 'GET', path: '/api/distributions', headers: cookie(flooder.distributor.cookie) }];
    },
  },
  {
    name: 'the API document',
    parallel: 300,
    requests: () => [{ method: 'GET', path: '/api/openapi.json', headers: { 'accept-encoding': 'gzip, br' } }],
  },
  {
    name: 'files of the API documentation',
    parallel: 100,
    requests: () => [{ method: 'GET', path: '/api/docs/static/swagger-ui-bundle.js', headers: { 'accept-encoding': 'gzip, br' } }],
  },
  {
    name: 'compressed bodies',
    parallel: 300,
    requests: () => [{ method: 'POST', path: '/api/login', headers: { 'content-encoding': 'br' }, body: '{}' }],
  },
  {
    name: 'password resets',
    parallel: 300,
    requests: () => [{ method: 'POST', path: '/api/reset-password/request', body: '{"email":"nobody{n}@mail.example"}' }],
  },
  {
    name: 'orders of 5,000 lines without a session',
    parallel: 300,
    requests: ({ shop }) => {
      const products = Array.from({ length: 5000 }, (_, index) => ({ productId: index + 1, quantity: 1 }));
      const body = JSON.stringify({ distributionId: shop.distributionId, products });
      return [{ method: 'POST', path: '/api/orders', headers: cookie('no-such-session-{n}'), body }];
    },
  },
  { name: 'one customer changing the own order', parallel: 300, requests: changesOfOwnOrder },
  {
    name: 'searches of the audit trail',
    parallel: 10,
    requests: ({ shop }) => [
      {
        method: 'GET',
        path: `/api/distributions/${shop.distributionId}/audit?text=nobody{n}&limit=1000`,
        headers: cookie(shop.distributor.cookie),
      },
    ],
  },
  {
    name: 'wrong sign-ins',
    parallel: 300,
    requests: () => [{ method: 'POST', path: '/api/login', body: '{"email":"nobody{n}@mail.example","password":"Wrong-Word-1"}' }],
  },
  {
    name: 'wrong sign-ins at the account of a distributor',
    parallel: 100,
    requests: async ({ place, flooder }) => {
      const email = await emailOf(place, flooder.distributor);
      return [{ method: 'POST', path: '/api/login', body: JSON.stringify({ email, password: 'Wrong-Word-1' }) }];
    },
  },
  {
    name: 'password resets from all networks of an IPv6 /56',
    parallel: 300,
    requests: () =>
      Array.from({ length: 256 }, (_, network) => ({
        method: 'POST' as const,
        path: '/api/reset-password/request',
        headers: { 'x-forwarded-for': `2001:db8:1:${network.toString(16)}::1` },
        body: '{"email":"nobody{n}@mail.example"}',
      })),
  },
  {
    name: 'health checks',
    parallel: 300,
    requests: () => [{ method: 'GET', path: '/api/health' }],
  },
  {
    name: 'bodies with hundreds of thousands of values without a session',
    parallel: 8,
    requests: () => [{ method: 'POST', path: '/api/login', body: MANY_LISTS }],
  },
  {
    name: 'bodies that never end',
    parallel: 100,
    requests: () => [{ method: 'POST', path: '/api/login', body: LONG_BODY, stalls: 'body' }],
  },
  {
    name: 'lists of 20,000 customers that are not read',
    parallel: 40,
    requests: async ({ place, flooder }) => {
      await withDb(place, (db) => run(db, MORE_CUSTOMERS, [flooder.distributor.id]));
      return [{ method: 'GET', path: '/api/users/customer', headers: cookie(flooder.distributor.cookie), stalls: 'reply' }];
    },
  },
  {
    name: 'mails of misnested formatting',
    parallel: 10,
    requests: ({ shop }) => [
      {
        method: 'POST',
        path: '/api/emails/test',
        headers: cookie(shop.distributor.cookie),
        body: JSON.stringify({ subject: 'x', html: MISNESTED }),
      },
    ],
  },
  {
    name: 'second steps without a first one',
    parallel: 300,
    requests: () => [
      { method: 'POST', path: '/api/login/second-factor', headers: { cookie: 'second-step={n}' }, body: '{"code":"123456"}' },
    ],
  },
  {
    name: 'a join link',
    parallel: 300,
    requests: async ({ place, flooder }) => {
      await openJoinLink(place, flooder);
      return [{ method: 'POST', path: '/api/register', body: `{"email":"join{n}@mail.example","code":"${JOIN_CODE}"}` }];
    },
  },
  {
    name: 'imports of 5,000 customers by another distributor',
    parallel: 10,
    requests: async ({ place, flooder }) => {
      const users = Array.from({ length: 5000 }, (_, index) => ({ email: `import{n}-${index}@mail.example`, firstName: 'Rivka' }));
      const body = JSON.stringify({ users, replyTo: await emailOf(place, flooder.distributor), invite: 'later' });
      return [{ method: 'POST', path: '/api/users/customer', headers: cookie(flooder.distributor.cookie), body }];
    },
  },
  {
    name: 'pictures of thirty megapixels by another distributor',
    parallel: 20,
    requests: async ({ place, flooder }) => {
      await withDb(place, (db) => run(db, 'UPDATE products SET product_code = 7 WHERE id = $1', [flooder.productIds[0]]));
      const body = JSON.stringify({ image: (await largePicture()).toString('base64') });
      return [{ method: 'POST', path: '/api/product-images/7', headers: cookie(flooder.distributor.cookie), body }];
    },
  },
  {
    name: 'reads of one picture by a customer of another distributor',
    parallel: 6,
    requests: async ({ place, flooder: { distributor, buyers } }) => {
      const text = 'SELECT hash FROM product_images WHERE "distributorId" = $1 AND product_code = 7';
      const [picture] = await withDb(place, (db) => run<{ hash: string }>(db, text, [distributor.id]));
      return [{ method: 'GET', path: `/api/product-images/7/${picture?.hash}`, headers: cookie(buyers[0]?.cookie ?? '') }];
    },
  },
  {
    name: 'files of the own data',
    parallel: 100,
    requests: ({ attacker }) => [{ method: 'GET', path: '/api/export', headers: cookie(attacker.cookie) }],
  },
  {
    name: 'reads of the counter and the control room',
    parallel: 100,
    requests: ({ shop }) =>
      ['counter', 'counter-orders', 'progress', 'print-orders'].map((list) => ({
        method: 'GET',
        path: `/api/distributions/${shop.distributionId}/${list}`,
        headers: cookie(shop.distributor.cookie),
      })),
  },
  {
    name: 'reads of a list of 5,000 products',
    parallel: 300,
    requests: async ({ place, shop }) => {
      await withDb(place, (db) => run(db, MORE_PRODUCTS, [shop.distributor.id, shop.distributionId]));
      const path = `/api/distributions/${shop.distributionId}/products`;
      return (['GET', 'HEAD'] as const).map((method) => ({ method, path, headers: cookie(shop.distributor.cookie) }));
    },
  },
  {
    name: 'changes of a catalogue of 2,900 products, beside reads of it, by another distributor',
    parallel: 24,
    requests: async ({ place, flooder: { distributionId, distributor, productIds, buyers } }) => {
      await withDb(place, (db) => run(db, LONG_CATALOGUE, [distributor.id, distributionId]));
      const path = `/api/distributions/${distributionId}/products`;
      const read: FloodRequest = { method: 'GET', path, headers: { ...cookie(buyers[0]?.cookie ?? ''), 'accept-encoding': 'br' } };
      const change = { path: `${path}/${productIds[0]}`, headers: cookie(distributor.cookie), body: '{"unit_price":{n}}' };
      return [{ ...change, method: 'PATCH' }, read, read, read];
    },
  },
  {
    name: 'reads of 80 lists of 500 products, which are more than the memory holds, by a customer of another distributor',
    parallel: 24,
    requests: async ({ place, flooder: { distributor, buyers } }) => {
      const distributions = await withDb(place, (db) => run<{ id: number }>(db, MANY_CATALOGUES, [distributor.id]));
      const headers = { ...cookie(buyers[0]?.cookie ?? ''), 'accept-encoding': 'br' };
      return distributions.map(({ id }) => ({ method: 'GET', path: `/api/distributions/${id}/products`, headers }));
    },
  },
  {
    name: 'changes of one line of an order with 2,900 lines by a customer of another distributor',
    parallel: 24,
    requests: async ({ place, flooder: { distributionId, distributor, buyers } }) => {
      const [customer] = buyers;
      const [line] = await withDb(place, (db) => run<{ id: number }>(db, LONG_ORDER, [distributor.id, distributionId, customer?.id]));
      const products = [1, 2].map((quantity) => [{ productId: line?.id, quantity }]);
      return products.map((products) => ({
        method: 'POST',
        path: '/api/orders',
        headers: cookie(customer?.cookie ?? ''),
        body: JSON.stringify({ distributionId, products }),
      }));
    },
  },
  { name: 'one customer changing the own order on six connections', parallel: 6, requests: changesOfOwnOrder },
  {
    name: 'short pages of lists of 20,000 customers and orders by another distributor on six connections',
    parallel: 6,
    requests: async ({ place, flooder: { distributionId, distributor } }) => {
      await withDb(place, (db) => run(db, MORE_CUSTOMERS, [distributor.id]));
      await withDb(place, (db) => run(db, MORE_ORDERS, [distributor.id, distributionId]));
      const [found] = await withDb(place, (db) => run<{ mark: string }>(db, MARK, [distributionId]));
      const pages = ['payments?limit=1', 'customer-report?limit=1', 'actuals-report?limit=1', `counter?since=${found?.mark}`];
      const lists = [...pages, 'contacts-with-has-order'].map((list) => `/api/distributions/${distributionId}/${list}`);
      return [...lists, '/api/unused-customers'].map((path) => ({ method: 'GET', path, headers: cookie(distributor.cookie) }));
    },
  },
  {
    name: 'refused products with long descriptions by another distributor on six connections',
    parallel: 6,
    requests: async ({ place, flooder: { distributor } }) => {
      const [full] = await withDb(place, (db) => run<{ id: number }>(db, FULL_CATALOGUE, [distributor.id]));
      const body = JSON.stringify({ name: 'Refused', unit_price: 100, description: 'x'.repeat(2000) });
      return [{ method: 'POST', path: `/api/distributions/${full?.id}/products`, headers: cookie(distributor.cookie), body }];
    },
  },
  {
    name: 'a hundred customers of another distributor changing their orders',
    parallel: 100,
    requests: async ({ place }) => {
      const crowd = await createShop(place, 100, 20);
      return changesOfOrders(crowd, crowd.buyers);
    },
  },
];
