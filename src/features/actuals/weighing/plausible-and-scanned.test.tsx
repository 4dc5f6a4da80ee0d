import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { makeOrder, weigh } from '../../../../test/data/order-rows.ts';
import { freshDevice, readNothing, readScreen, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import type { Row } from '../../../server/database/schema.ts';
import { replacedText } from '../texts.ts';
import { WeighingPage } from './weighing-page.tsx';

const testApp = setupTestApp();

let distributor: Person;
let agent: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let orderId: number;

beforeEach(async () => {
  freshDevice();
  distributor = await makeDistributor(testApp.db);
  agent = await makeAgent(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', unit_qty: 5, unit_qty_is_estimate: true, product_code: 101 });
  const order = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 4]]);
  orderId = order.id;
  await weigh(testApp.db, order.lines[0], [null, 4.5], agent);
});

async function open(): Promise<void> {
  navigate(`/agent/orders/${orderId}/actual-quantities`);
  showScreen(await testApp.as(agent), '/:role/orders/:orderId/actual-quantities', WeighingPage);
  await screen.findByRole('button', { name: 'Save' });
}

const unit = (index: number): HTMLInputElement => screen.getByRole('spinbutton', { name: `Brisket ${index}/4` });
const focused = (): string => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '';
const type = (index: number, text: string): void => void fireEvent.change(unit(index), { target: { value: text } });
const press = (key: string): void => {
  if (document.activeElement) fireEvent.keyDown(document.activeElement, { key });
};

describe('a scanned weight', () => {
  const scan = (index: number, code: string): void => {
    unit(index).focus();
    type(index, code);
    press('Enter');
  };
  // A weight barcode for product code 101 and a weight of 4.87.
  const CODE = '2000101004875';

  test('fills the next empty field of its product after the focused one, and moves the focus to the following field (contract §14)', async () => {
    await open();
    // The second unit is already weighed. The weight scanned into its field is therefore entered for the third unit.
    scan(2, CODE);
    expect([1, 2, 3, 4].map((index) => unit(index).value)).toEqual(['', '4.5', '4.87', '']);
    expect(focused()).toBe('Brisket 4/4');
    scan(4, CODE);
    scan(1, CODE);
    expect([1, 2, 3, 4].map((index) => unit(index).value)).toEqual(['4.87', '4.5', '4.87', '4.87']);
    expect(focused()).toBe('Save');
    scan(2, CODE);
    expect(await screen.findByText('Every unit of Brisket has a weight already.')).toBeTruthy();
  });

  test('of another product or with a wrong check digit changes nothing (contract §14)', async () => {
    await testApp.db.updateTable('products').set({ product_code: 102 }).where('id', '=', brisket.id).execute();
    await open();
    scan(1, CODE);
    expect(await screen.findByText('Nothing with code 101 is weighed in this order.')).toBeTruthy();
    expect(unit(1).value).toBe('');
    scan(1, '2000101004876');
    expect(screen.getByText('The barcode was not read correctly. Scan it again.')).toBeTruthy();
  });
});

test('the weights page asks once whether a typed weight is right when it differs much from at least eight recorded weights of its product (contract §14)', async () => {
  const others = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 8]]);
  await weigh(testApp.db, others.lines[0], [11, 11, 11.2, 11, 11, 11, 11, 11], agent);
  await open();
  // This weight is far from the estimate of 5, but close to the weights that are recorded for the product.
  type(1, '11.1');
  press('Enter');
  expect(focused()).toBe('Brisket 3/4');
  type(3, '5');
  press('Enter');
  expect(focused()).toBe('Brisket 3/4');
  expect(screen.getByRole('alert').textContent).toBe(
    "5 lb is unlike this product's other weights: 9.351 to 12.649 is usual. Is that right?",
  );
  await readScreen();
  press('Enter');
  expect(focused()).toBe('Brisket 4/4');
});

test('on the weights page, the second Enter of a scale that ends its line with two characters skips no unit (reliability abuse)', async () => {
  await open();
  readNothing();
  for (const [index, text] of [
    [1, '4.5'],
    [3, '4.8'],
    [4, '4.2'],
  ] as const) {
    expect(focused()).toBe(`Brisket ${index}/4`);
    type(index, text);
    press('Enter');
    press('Enter');
  }
  expect(focused()).toBe('Save');
});

test.each([
  { text: '12', key: 'Enter' },
  { text: '52', key: 'y' },
])(
  'on the weights page, the key $key does not answer the question about $text lb before anybody can have read it (reliability abuse)',
  async ({ text, key }) => {
    await open();
    readNothing();
    type(1, text);
    press('Enter');
    press(key);
    expect(screen.getByRole('alert').textContent).toContain('Is that right?');
    expect([unit(1).value, focused()]).toEqual([text, 'Brisket 1/4']);
    await readScreen();
    press(key);
    await readScreen();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(focused()).toBe('Brisket 3/4');
  },
);

test('the weights page names each text that a weight was typed over while the field asked about it, until the field is emptied (reliability abuse)', async () => {
  await open();
  for (const text of ['10.8', '5..2', '5.1']) {
    unit(1).focus();
    type(1, text);
    press('Enter');
  }
  expect(screen.getByText(replacedText('10.8, 5..2'))).toBeTruthy();
  expect(focused()).toBe('Brisket 3/4');
  type(1, '');
  fireEvent.blur(unit(1));
  expect(screen.queryByText(/not recorded/)).toBeNull();
});
