// These tests cover the screens and prints of the pick-up day except the pick-up counter screen: tills, the print of a till, the control
// room, pick-up sheets and labels.
import type { Page } from '@playwright/test';
import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';
import { orderCode } from '../../src/domain/counter/barcode.ts';
import { cents } from '../../src/domain/money.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../data/factories.ts';
import { makeOrder } from '../data/order-rows.ts';
import { sidewaysScroll } from './accessible.ts';
import { look } from './counter/counter-day.ts';
import { expect, test, type E2eApp } from './fixtures.ts';
import { readPdf, type PdfPage } from './pdf.ts';

async function pickUpDay({ db }: E2eApp) {
  const distributor = await makeDistributor(db);
  const agent = await makeAgent(db, distributor, { mayTakePayments: true });
  const distribution = await makeDistribution(db, distributor, { name: 'Passover 2027', orderingOpen: false, acceptActuals: true });
  const meat = { unit_price: cents(1000), unit_qty: 5, unit_qty_is_estimate: true, uom: 'lb' } as const;
  const brisket = await makeProduct(db, distribution, { ...meat, name: 'Brisket', product_code: 1001 });
  const matzah = await makeProduct(db, distribution, { name: 'Matzah', product_code: 2001, unit_price: cents(500), uom: null });
  const orders = [];
  for (const lastName of ['Abramov', 'Becker'])
    orders.push(
      await makeOrder(db, distribution, await makeCustomer(db, distributor, { firstName: 'Rivka', lastName }), [
        [brisket, 2],
        [matzah, 3],
      ]),
    );
  return { distributor, agent, orders, path: `distribution/${distribution.id}` };
}

const linesOf = (pages: readonly PdfPage[]): string[] => pages.flatMap(({ lines }) => lines);

test(
  'an agent opens a till, takes a payment and counts the money; the distributor sees it in the control room and prints all tills (contract §14, §15)',
  { tag: '@desk' },
  async ({ page, testApp, browser }) => {
    const { distributor, agent, path } = await pickUpDay(testApp);
    const wall = await (await browser.newContext({ viewport: { width: 1920, height: 1080 } })).newPage();
    await testApp.signIn(wall, distributor, `/distributor/${path}/control-room`);
    await expect(wall.getByText('picked up of 2 orders')).toBeVisible();
    expect(await sidewaysScroll(wall)).toBe(0);
    expect(await wall.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true);

    await testApp.signIn(page, agent, `/agent/${path}/tills`);
    await page.getByRole('button', { name: 'Open my till' }).click();
    await page.getByLabel('Float').fill('100');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: `Till of ${agent.email}` })).toBeVisible();
    await page.goto(`${testApp.url}/agent/${path}/counter`);
    await page.getByRole('combobox', { name: 'Find a family' }).fill('Abramov');
    for (const text of ['', '4.5', '5.5']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    }
    await look(page);
    await page.getByRole('button', { name: 'Pay $115.00 in cash and hand over' }).click();
    await expect(page.getByText('1 of 2 picked up')).toBeVisible();
    for (const figure of ['weighed', 'paid', 'picked up'])
      await expect(wall.getByRole('progressbar', { name: `${figure} of 2 orders` })).toHaveAttribute('value', '50');
    await expect(wall.getByRole('row', { name: 'Brisket 2' })).toBeVisible();

    await page.getByRole('link', { name: 'Tills' }).click();
    await page.getByRole('button', { name: `Close till of ${agent.email}` }).click();
    await page.getByLabel('Counted cash').fill('214,50');
    await page.getByRole('dialog').getByRole('button', { name: 'Close till' }).click();
    await page.getByRole('button', { name: 'Close with this difference' }).click();
    await expect(page.getByRole('row', { name: 'Cash $215.00 $214.50 -$0.50' })).toBeVisible();

    await wall.goto(`${testApp.url}/distributor/${path}/tills`);
    await expect(wall.getByRole('heading', { name: 'Sum of all tills' })).toBeVisible();
    const lines = linesOf(await readPdf(await wall.pdf({ format: 'Letter' })));
    for (const line of [
      'Tills of Passover 2027',
      `Till of ${agent.email}`,
      'Cash $215.00 $214.50 -$0.50',
      'All payments, with card fees $115.00 $0.00 $0.00 $0.00 $115.00',
    ])
      expect(lines).toContain(line);
    await wall.context().close();
  },
);

/** Reads the picture of an order's code on the printed page, and returns the text in the code. */
async function readPrintedCode(page: Page, name: string): Promise<string> {
  const picture = await page.getByRole('img', { name }).first().screenshot();
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return decodeQR({ data: new Uint8Array(data), width: info.width, height: info.height });
}

test(
  'pick-up sheets and labels print with codes that can be read, on Letter and A4 (contract §14)',
  { tag: '@desk' },
  async ({ page, testApp }) => {
    const { distributor, orders, path } = await pickUpDay(testApp);
    const [first, second] = orders.map(({ id }) => id);
    await testApp.signIn(page, distributor, `/distributor/${path}/pick-up-print`);
    await expect(page.getByText('2 orders')).toBeVisible();
    const sheets = await readPdf(await page.pdf({ format: 'Letter' }));
    expect(sheets).toHaveLength(1);
    expect(linesOf(sheets).join('\n')).toMatch(/Abramov, Rivka[\s\S]*1001 Brisket[\s\S]*2001 Matzah[\s\S]*Becker, Rivka/);

    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    for (const id of [first, second]) expect(await readPrintedCode(page, `Code of order ${id}`)).toBe(orderCode(id ?? 0));
    await page.emulateMedia({ media: null });

    await page.goto(`${testApp.url}/distributor/${path}/print-orders`);
    await expect(page.getByRole('img', { name: `Code of order ${second}` })).toBeAttached();
    await page.emulateMedia({ media: 'print' });
    for (const id of [first, second]) expect(await readPrintedCode(page, `Code of order ${id}`)).toBe(orderCode(id ?? 0));
    await page.emulateMedia({ media: null });

    for (const [sheet, size] of [
      ['5160', [612, 792]],
      ['L7160', [595, 842]],
    ] as const) {
      await page.goto(`${testApp.url}/distributor/${path}/pick-up-print?paper=labels&per=unit&sheet=${sheet}`);
      await expect(page.getByText(/^4 labels/)).toBeVisible();
      const labels = await readPdf(await page.pdf({ preferCSSPageSize: true }));
      expect(labels.map(({ width, height }) => [Math.round(width), Math.round(height)])).toEqual([size]);
      expect(linesOf(labels).filter((line) => line.includes('Brisket'))).toEqual(['Brisket 1/2 Brisket 2/2 Brisket 1/2', 'Brisket 2/2']);
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      await page.emulateMedia({ media: 'print' });
      for (const id of [first, second]) expect(await readPrintedCode(page, `Code of order ${id}`)).toBe(orderCode(id ?? 0));
      await page.emulateMedia({ media: null });
    }
  },
);
