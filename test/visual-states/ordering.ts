// Lists the visual states of the order page (spec §2; contract §5, §10).
import type { Page } from '@playwright/test';
import type { VisualState, VisualStateData, Who } from './setup/visual-state.ts';
import { after, answered, at, offline, press, reads, type, unanswered, waits, type Step } from './setup/steps.ts';

const order = ({ open }: VisualStateData): string => `/customer/order/${open}`;
const ordered = ({ open }: VisualStateData): string => `**/api/orders/${open}`;

const more = (times: number) => async (page: Page) => {
  const plus = page.getByRole('button', { name: /^More / }).first();
  for (let time = 0; time < times; time++) await plus.click();
};

const less: Step = async (page) =>
  await page
    .getByRole('button', { name: /^Less / })
    .first()
    .click();

async function fillBasket(page: Page): Promise<void> {
  const fields = page.getByRole('spinbutton', { name: /^Quantity of / });
  await fields.nth(0).fill('2');
  await fields.nth(1).fill('1');
  await page.getByLabel('Category').selectOption({ index: 2 });
  await fields.nth(0).fill('3');
}

const save: Step = async (page) =>
  await page
    .getByRole('button', { name: /^(Place|Update) Order$/ })
    .first()
    .click();
/** Replies to each save of an order with this status and body, in place of the server. */
const saves =
  (status: number, body: object | string): Step =>
  async (page) =>
    await page.route('**/api/orders', async (route) => {
      if (route.request().method() !== 'POST') await route.fallback();
      else await route.fulfill(typeof body === 'string' ? { status, body, contentType: 'text/plain' } : { status, json: body });
    });

/** From now on, each read of the distribution returns that ordering is closed. */
const closes: Step = async (page, { open }) =>
  await page.route(`**/api/distributions/${open}`, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ json: { ...((await reply.json()) as object), orderingOpen: false } });
  });

/**
 * Simulates that another person has changed the order meanwhile. The first product whose quantity the user has typed now has the quantity
 * 9.
 */
const changesElsewhere: Step = async (page, ids) =>
  await page.route(ordered(ids), async (route) => {
    const read = (await (await route.fetch()).json()) as { version: number; products: { productId: number; quantity: number }[] };
    const sent = JSON.parse(
      (await page.evaluate(() => Object.values(localStorage).find((text) => text.includes('productId')))) ?? '[]',
    ) as {
      productId: number;
    }[];
    const products = [
      ...read.products.filter(({ productId }) => productId !== sent[0]?.productId),
      { productId: sent[0]?.productId, quantity: 9 },
    ];
    await route.fulfill({ json: { ...read, version: read.version + 1, products } });
  });

/** From now on, each read of the products returns 1 as the maximum quantity of every product. */
const lowersMaximum: Step = async (page, { open }) =>
  await page.route(`**/api/distributions/${open}/products`, async (route) => {
    const products = (await (await route.fetch()).json()) as object[];
    await route.fulfill({ json: products.map((product) => ({ ...product, max_order_qty: 1 })) });
  });

const state = (name: string, open: VisualState['open'], as: Who = 'customer', rows: VisualState['rows'] = 'few'): VisualState => ({
  name,
  as,
  rows,
  open,
});

export const ORDERING: readonly VisualState[] = [
  state('customer-order', at(order)),
  state('customer-order-typed', at(order, more(2))),
  state('customer-order-basket', at(order, fillBasket)),
  state('customer-order-mine', at(order, fillBasket, press(/^My items/))),
  state('customer-order-mine-none', at(order, press(/^My items/), reads('You have not chosen anything yet.'))),
  state('customer-order-search', at(order, type('Search all products', 'chick'))),
  state('customer-order-no-match', at(order, type('Search all products', 'zzz'), reads('No products match'))),
  state(
    'customer-order-picture',
    at(order, (page) => page.locator('main h3 button').first().click()),
  ),
  state('customer-order-full', after(lowersMaximum, at(order, more(1)))),
  state('customer-order-above-maximum', after(lowersMaximum, at(order)), 'neighbour'),
  { ...state('customer-order-summary', at(order, fillBasket, press(/Total/))), width: 'phone' },
  state('customer-order-no-changes', at(order, save, reads('No changes made')), 'neighbour'),
  state('customer-order-saving', at(order, unanswered('**/api/orders'), more(2), save)),
  state('customer-order-refused', at(order, saves(400, 'Brisket, first cut: at most 2 can be ordered.'), more(2), save, reads('Error'))),
  state(
    'customer-order-placed',
    at(order, saves(201, { id: 1, distributionId: 1, products: [], version: 1 }), more(2), save, reads('My Orders')),
  ),
  state('customer-order-edit', at(order), 'neighbour'),
  state(
    'customer-order-conflict',
    at(order, less, changesElsewhere, saves(409, 'This order was changed elsewhere.'), save, reads('Keep mine')),
    'neighbour',
  ),
  state(
    'customer-order-draft',
    at(order, more(2), (page) => page.reload(), reads('Restore 1 unsaved change?')),
  ),
  state('customer-order-leave', at(order, more(2), press('Back to Dashboard'), reads('Leave without saving?'))),
  state(
    'customer-order-closed',
    at(({ weighing }) => `/customer/order/${weighing}`),
  ),
  state('customer-order-closes', at(order, more(2), closes, saves(409, 'Ordering is closed'), save, reads('What you typed stays'))),
  state('customer-order-offline', at(order, more(2), offline)),
  state('customer-order-many', at(order), 'customer', 'many'),
  state('customer-order-many-late', at(order, press(/^Wine/)), 'customer', 'many'),
  state('customer-order-empty', after(answered('**/products', 200, []), at(order))),
  state('customer-order-missing', at('/customer/order/999999', reads('Distribution not found'))),
  state('customer-order-failed', after(answered('**/products', 500, 'Something went wrong on our side.'), at(order))),
  state('customer-order-loading', after(unanswered('**/products'), waits(order))),
];
