// On the pick-up counter screen, staff scan codes with the camera, or with a scanner that types like a keyboard.
import { chromium, type Browser, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, chromiumPath } from '../../scripts/chromium.ts';
import { orderCode } from '../../src/domain/counter/barcode.ts';
import { cents } from '../../src/domain/money.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../data/factories.ts';
import { makeOrder } from '../data/order-rows.ts';
import { writeCameraFile } from '../data/camera-file.ts';
import { readyForOffline } from './counter/counter-day.ts';
import { expect, test, type E2eApp } from './fixtures.ts';

async function twoFamilies({ db }: E2eApp) {
  const distributor = await makeDistributor(db);
  const distribution = await makeDistribution(db, distributor, { name: 'Passover 2027', orderingOpen: false, acceptActuals: true });
  const weighed = { unit_price: cents(1000), unit_qty_is_estimate: true } as const;
  const brisket = await makeProduct(db, distribution, { ...weighed, name: 'Brisket', product_code: 1001, unit_qty: 5 });
  const lamb = await makeProduct(db, distribution, { ...weighed, name: 'Lamb', product_code: 1002, unit_qty: 3 });
  const order = async (lastName: string) =>
    await makeOrder(db, distribution, await makeCustomer(db, distributor, { firstName: 'Rivka', lastName }), [
      [brisket, 2],
      [lamb, 1],
    ]);
  return {
    distributor,
    abramov: await order('Abramov'),
    becker: await order('Becker'),
    path: `/distributor/distribution/${distribution.id}/counter`,
  };
}

/** Opens Chromium with a simulated camera that shows `text` as a QR code. */
async function withCamera(file: string, text: string): Promise<Browser> {
  writeCameraFile(file, text);
  const camera = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${file}`];
  return await chromium.launch({ executablePath: chromiumPath(), args: [...CHROMIUM_ARGS, ...camera] });
}

/** Stores every stream of the camera, so that the test can check whether it was closed. */
const watchCamera = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const streams: MediaStream[] = [];
    Object.assign(globalThis, { streams });
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints);
      streams.push(stream);
      return stream;
    };
  });
const camerasOn = (page: Page): Promise<boolean[]> =>
  page.evaluate(() => (globalThis as unknown as { streams: MediaStream[] }).streams.map(({ active }) => active));

test(
  'the camera reads the printed code of an order and is then switched off, and the order opens, also without a network (contract §14) @desk',
  { tag: '@long' },
  async ({ testApp }, info) => {
    const { distributor, becker, path } = await twoFamilies(testApp);
    const browser = await withCamera(info.outputPath('camera.y4m'), orderCode(becker.id));
    try {
      const page = await browser.newPage();
      await watchCamera(page);
      await testApp.signIn(page, distributor, path);
      const scan = page.getByRole('button', { name: 'Scan with camera' });
      const field = page.getByRole('spinbutton', { name: 'Brisket 1/2' });
      for (const isOnline of [true, false]) {
        await readyForOffline(page);
        await page.context().setOffline(!isOnline);
        await page.goto(new URL(path, testApp.url).href);
        await scan.focus();
        await page.keyboard.press('Enter');
        await expect(page.getByRole('heading', { name: 'Becker, Rivka' })).toBeVisible();
        await expect(field).toBeFocused();
        await expect(page.getByRole('dialog')).toHaveCount(0);
        expect(await camerasOn(page)).toEqual([false]);
      }
    } finally {
      await browser.close();
    }
  },
);

test('a barcode scanner that types like a keyboard finds families and fills weights; the Enter key that the scanner sends never presses the pay button (contract §14) @desk', async ({
  page,
  testApp,
}) => {
  const { distributor, abramov, becker, path } = await twoFamilies(testApp);
  await testApp.signIn(page, distributor, path);
  const scan = async (code: string): Promise<void> => {
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
  };
  const unit = (name: string) => page.getByRole('spinbutton', { name });
  const family = (name: string) => page.getByRole('heading', { name: `${name}, Rivka` });
  const pay = page.getByRole('button', { name: /^Pay \$[\d.]+ in cash and hand over$/ });

  await expect(page.getByRole('combobox', { name: 'Find a family' })).toBeFocused();
  await scan(orderCode(abramov.id));
  await expect(unit('Brisket 1/2')).toBeFocused();
  // Each barcode contains a product code and a weight. The first one says 3.25 lb of product 1002. The next one, which is scanned twice,
  // says 4.87 lb of product 1001.
  await scan('2001002003257');
  await expect(unit('Lamb 1/1')).toHaveValue('3.25');
  await unit('Brisket 1/2').focus();
  for (const index of [1, 2]) {
    await scan('2001001004873');
    await expect(unit(`Brisket ${index}/2`)).toHaveValue('4.87');
  }
  await expect(pay).toBeFocused();
  await scan('2001001004873');
  await expect(page.getByText('Choose a weight field of this order, then scan the label again.').first()).toBeVisible();
  for (const unknown of ['4006381333931', ' 4006381333931', '4006381333931 ', ' ']) {
    await pay.focus();
    // Shortly after the button has got the focus, it ignores all keys.
    await page.waitForTimeout(400);
    await scan(unknown);
    await expect(page.getByText('This is neither the code of an order nor a weight label.').first()).toBeVisible();
    // What is typed next is the name of the next family, perhaps. A space alone is no text.
    await expect(unknown === ' ' ? pay : page.getByRole('combobox', { name: 'Find a family' })).toBeFocused();
  }
  await page.waitForTimeout(400);
  await scan(orderCode(becker.id));
  await expect(family('Becker')).toBeVisible();
  // The code of an order is scanned twice: first while a weight field has the focus, then while no field has the focus.
  await expect(unit('Brisket 1/2')).toBeFocused();
  await scan(orderCode(abramov.id));
  await expect(family('Abramov')).toBeVisible();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await scan(orderCode(becker.id));
  await expect(family('Becker')).toBeVisible();
  await expect(unit('Brisket 1/2')).toHaveValue('');

  await expect.poll(async () => (await testApp.db.selectFrom('actual_quantities').selectAll().execute()).length).toBe(3);
  expect(await testApp.db.selectFrom('payments').selectAll().execute()).toEqual([]);
  expect(await testApp.db.selectFrom('orders').select('id').where('pickedUpAt', 'is not', null).execute()).toEqual([]);
});
