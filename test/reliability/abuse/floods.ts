// Every flood that one person, network or distributor was seen to hurt others with. Add a new one here.
import type { Shop } from '../setup/shop.ts';
import type { FloodRequest } from './flood.ts';

export interface Flood {
  readonly name: string;
  /** Requests at once. */
  readonly parallel: number;
  readonly requests: (targets: FloodTargets) => readonly FloodRequest[];
}

/** Whom a flood may use: a distributor with ten customers who are measured, and one of its customers who floods. */
export interface FloodTargets {
  readonly shop: Shop;
  readonly attacker: { readonly id: number; readonly cookie: string };
}

const cookie = (value: string) => ({ cookie: `sid=${value}` });

/** What blocks a parser whose time grows with elements times depth; 20 of them fill a body of 4 MB. */
const MISNESTED = `<p>i</p>${'<b>'.repeat(33_000)}${'</i>'.repeat(24_900)}`;

export const FLOODS: readonly Flood[] = [
  {
    name: 'the API document',
    parallel: 300,
    requests: () => [{ method: 'GET', path: '/api/openapi.json', headers: { 'accept-encoding': 'gzip, br' } }],
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
  {
    name: 'one customer changing the own order',
    parallel: 300,
    requests: ({ shop, attacker }) =>
      [1, 2].map((quantity) => ({
        method: 'POST',
        path: '/api/orders',
        headers: cookie(attacker.cookie),
        body: JSON.stringify({
          distributionId: shop.distributionId,
          products: shop.productIds.map((productId) => ({ productId, quantity })),
        }),
      })),
  },
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
];
