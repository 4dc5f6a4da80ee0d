// Checks the printed pages on both paper sizes. Chromium creates a PDF of each page, and the test reads the pieces of text and their
// positions from the PDF.
import type { Page } from '@playwright/test';
import { cents } from '../../src/domain/money.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from '../data/factories.ts';
import { contactOf, LONG_TEXTS } from '../fixtures/long-contacts.ts';
import { makeOrder, pay, weigh } from '../data/order-rows.ts';
import { beyondMargins, readPdf, type PdfPage } from './pdf.ts';
import { expect, test, type E2eApp } from './fixtures.ts';

const PAPERS = { Letter: [612, 792], A4: [595, 842] } as const;
const COLUMNS = 'Quantity Code Product Price(each) Ext Price';
const LONG = 'Matzah, hand made, of spelt flour from the mill by the river, a box of six rounds for the table of a large family, unsalted';

const money = (amount: number): string => `$${(amount / 100).toFixed(2)}`;
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const rowsIn = ({ lines }: PdfPage): readonly string[] => lines.slice(lines.indexOf(COLUMNS) + 1);

type Papers = Record<keyof typeof PAPERS, PdfPage[]>;

async function readPapers(page: Page, path: string): Promise<Papers> {
  // While the print dialog of the page is open, the browser creates no PDF of it.
  await page.addInitScript(() => {
    window.print = () => undefined;
  });
  // The report requests its parts one by one.
  await page.goto(path, { waitUntil: 'networkidle' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
  await page.evaluate(async () => void (await document.fonts.ready));
  return { Letter: await readPdf(await page.pdf({ format: 'Letter' })), A4: await readPdf(await page.pdf({ format: 'A4' })) };
}

/** Also checks the sizes of the pages, and that no text is in the margins. */
async function printed(page: Page, path: string): Promise<Papers> {
  const papers = await readPapers(page, path);
  for (const [paper, pages] of Object.entries(papers)) {
    const [width, height] = PAPERS[paper as keyof typeof PAPERS];
    for (const read of pages) {
      expect([Math.floor(read.width), Math.floor(read.height)]).toEqual([width, height]);
      expect(beyondMargins(read)).toEqual([]);
    }
  }
  return papers;
}

/** Creates three customers: Rivka has 60 weighed lines that are partly paid, Moshe has 30 unweighed units, and Dina has no order. */
async function makeThree({ db }: E2eApp) {
  const distributor = await makeDistributor(db);
  const distribution = await makeDistribution(db, distributor, { name: 'Passover 2027' });
  await makeFee(db, distribution, { name: 'Delivery', amount: 500, sort_order: 0 });
  await makeFee(db, distribution, { name: 'Service', type: 'percent', amount: 300, sort_order: 1 });
  const products = [];
  for (const n of numbers(1, 60)) {
    const priced = n <= 20 ? { unit_price: cents(200 + 2 * n), unit_qty_is_estimate: true } : { unit_price: cents(100 + n), unit_qty: 2 };
    products.push(await makeProduct(db, distribution, { name: n === 30 ? LONG : `Product ${n}`, product_code: 100 + n, ...priced }));
  }
  const rivka = await makeCustomer(db, distributor);
  const many = await makeOrder(
    db,
    distribution,
    rivka,
    products.toReversed().map((product) => [product, product.unit_qty_is_estimate ? 1 : 3]),
  );
  for (const line of many.lines) if (line.quantity === 1) await weigh(db, line, [2.5], distributor);
  await pay(db, distribution, { orderId: many.id, amount: 10_000, by: distributor });
  const [first] = products;
  const moshe = await makeCustomer(db, distributor, { firstName: 'Moshe', lastName: 'Adler' });
  const unweighed = await makeOrder(db, distribution, moshe, first ? [[first, 30]] : []);
  const empty = await makeOrder(db, distribution, await makeCustomer(db, distributor, { firstName: 'Dina', lastName: 'Cohen' }), []);
  return { distributor, distribution, many: many.id, unweighed: unweighed.id, empty: empty.id };
}

test(
  'a long order, an unweighed order and an empty order are printed completely on Letter and A4 (contract §7)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const { distributor, many, unweighed, empty } = await makeThree(testApp);
    await testApp.signIn(page, distributor);
    const urlOf = (orderId: number): string => `${testApp.url}/distributor/print-order/${orderId}`;

    const rows = numbers(1, 60).map((n) =>
      n <= 20
        ? `2.5 lb ${100 + n} Product ${n} ${money(200 + 2 * n)} ${money(500 + 5 * n)}`
        : `3 ${100 + n} Product ${n} ${money(200 + 2 * n)} ${money(600 + 6 * n)}`,
    );
    // The total in cents: the products cost 20 × 500 + 5 × 210 + 40 × 600 + 6 × 1620 = 44770. With the flat fee of 500 they cost 45270, and
    // 3% of 45270 are 1358.1.
    const sums = [
      'Subtotal $447.70',
      'Delivery $5.00',
      'Service (3%) $13.58',
      'Total $466.28',
      'Cash Payment $100.00',
      'Balance Due $366.28',
    ];
    for (const pages of Object.values(await printed(page, urlOf(many)))) {
      expect(pages).toHaveLength(2);
      for (const { lines } of pages) {
        const title = lines.indexOf(`Order ${many} Rivka Abramov Passover 2027 April 15, 2027`);
        expect(lines.indexOf(COLUMNS)).toBe(title + 1);
      }
      expect(pages[0]?.lines.slice(0, 3)).toEqual(['Rivka Abramov', '1 Elm St', 'Teaneck, NJ 07666']);
      // The long name of one product takes several lines, which must all be on the same page.
      const [longOn, ...others] = pages.filter(({ lines }) => lines.some((line) => line.startsWith('3 130 ')));
      expect(others).toEqual([]);
      expect(longOn?.lines.join(' ').replace('$2.60 $7.80 ', '')).toContain(LONG);
      const isOfLong = (line: string): boolean => line.startsWith('3 130 ') || LONG.includes(line);
      expect(pages.flatMap(rowsIn).filter((line) => !isOfLong(line))).toEqual([...rows.toSpliced(29, 1), ...sums]);
    }

    for (const pages of Object.values(await printed(page, urlOf(unweighed)))) {
      expect(pages.length).toBeLessThanOrEqual(3);
      expect(pages.flatMap(rowsIn)).toEqual([
        ...Array<string>(30).fill('lb 101 Product 1 $2.02 $0.00'),
        'Subtotal $0.00',
        'Delivery $5.00',
        'Service (3%) $0.15',
        'Total $5.15',
        '30 units are not weighed yet and not in the total.',
      ]);
      // Each empty box is 12 mm high and has the unit of measure beside its middle. The bottom half of the box must still be on the page.
      const beside = pages.flatMap(({ pieces }) => pieces.filter(({ text }) => text.trim() === 'lb'));
      expect(Math.min(...beside.map(({ y }) => y))).toBeGreaterThan((12 + 5) * (72 / 25.4));
    }

    for (const pages of Object.values(await printed(page, urlOf(empty)))) {
      expect(pages).toHaveLength(1);
      expect(pages.flatMap(rowsIn)).toEqual(['Subtotal $0.00', 'Total $0.00']);
    }
  },
);

test(
  "a price sheet of 500 products has its header on every page, and each group name is on the page of the group's first product (spec §2)",
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const { db } = testApp;
    const distributor = await makeDistributor(db);
    const distribution = await makeDistribution(db, distributor, { name: 'Passover 2027' });
    const groupOf = (n: number): string => `Group ${String(Math.ceil(n / 7)).padStart(2, '0')}`;
    const place = { distributorId: distributor.id, distributionId: distribution.id, uom: 'lb', unit_qty: 2 };
    const products = numbers(1, 500).map((n) => ({
      ...place,
      name: `Product ${n}`,
      product_code: 1000 + n,
      product_group: groupOf(n),
      unit_price: cents(100 + n),
      unit_qty_is_estimate: n % 2 === 0,
      max_order_qty: n % 5,
    }));
    await db.insertInto('products').values(products).execute();
    await testApp.signIn(page, await makeCustomer(db, distributor));

    const expected = numbers(1, 500).flatMap((n) => [
      ...(n % 7 === 1 ? [groupOf(n)] : []),
      `${1000 + n} Product ${n} ${n % 5 || '-'} ${money(100 + n)} / lb ${money(200 + 2 * n)}${n % 2 === 0 ? '*' : ''}`,
    ]);
    for (const pages of Object.values(await printed(page, `${testApp.url}/customer/print-pricesheet/${distribution.id}`))) {
      expect(pages.length).toBeLessThan(22);
      const note = '* Sold by weight: the price is an estimate until your items are weighed.';
      const bodies = pages.map(({ lines }) => {
        const head = lines.indexOf('Code Name Max Unit Price Price');
        expect(lines[head - 1]).toBe('Pricesheet Passover 2027 April 15, 2027');
        return lines.slice(head + 1);
      });
      expect(bodies.flat()).toEqual([...expected, note]);
      expect(bodies.filter((lines) => lines.at(-1)?.startsWith('Group'))).toEqual([]);
    }
  },
);

test(
  'all 60 orders of a distribution are printed as one document, and no page contains only totals',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const { db } = testApp;
    const distributor = await makeDistributor(db);
    const distribution = await makeDistribution(db, distributor, { name: 'Passover 2027' });
    const products = [];
    for (const n of numbers(1, 60))
      products.push(await makeProduct(db, distribution, { name: `Product ${n}`, product_code: 100 + n, unit_price: cents(100) }));
    const ids = new Map<number, number>();
    for (const n of numbers(1, 60)) {
      const customer = await makeCustomer(db, distributor, { firstName: 'Noa', lastName: `Family ${String(n).padStart(2, '0')}` });
      const lines = products.slice(0, n).map((product) => [product, 2] as const);
      const { id } = await makeOrder(db, distribution, customer, lines);
      await pay(db, distribution, { orderId: id, amount: 100, by: distributor });
      ids.set(n, id);
    }
    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=customers`);
    await page.getByRole('link', { name: 'Print all orders' }).click();
    await expect(page.getByRole('heading', { name: '60 orders' })).toBeVisible();

    for (const pages of Object.values(await printed(page, page.url()))) {
      // The printed orders have different numbers of lines. Each order starts on a new page and takes at most two pages.
      const titles = pages.map(({ lines }) => lines[lines.indexOf(COLUMNS) - 1] ?? '');
      const titleOf = (n: number): string => `Order ${ids.get(n)} Noa Family ${String(n).padStart(2, '0')} Passover 2027 April 15, 2027`;
      expect([...new Set(titles)]).toEqual(numbers(1, 60).map(titleOf));
      for (const n of numbers(1, 60)) {
        const own = pages.filter((_, index) => titles[index] === titleOf(n));
        expect(own.length).toBeLessThanOrEqual(2);
        const row = (code: number): string => `2 ${100 + code} Product ${code} $1.00 $2.00`;
        const total = money(200 * n);
        const sums = [`Subtotal ${total}`, `Total ${total}`, 'Cash Payment $1.00', `Balance Due ${money(200 * n - 100)}`];
        expect(own.flatMap(rowsIn)).toEqual([...numbers(1, n).map(row), ...sums]);
        const last = own.at(-1);
        expect(last && rowsIn(last).slice(-6)).toEqual([...numbers(Math.max(1, n - 1), n).map(row), ...sums].slice(-6));
      }
    }
  },
);

test(
  'one customer with a very long name, address and note does not shrink the prints of the other customers (reliability abuse)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const { db } = testApp;
    const distributor = await makeDistributor(db);
    const distribution = await makeDistribution(db, distributor);
    const product = await makeProduct(db, distribution);
    await makeOrder(db, distribution, await makeCustomer(db, distributor, { firstName: 'Rivka', lastName: 'Abramov' }), [[product, 1]]);
    const other = await makeCustomer(db, distributor, { firstName: 'Dina', lastName: 'Cohen' });
    const { id } = await makeOrder(db, distribution, other, [[product, 1]]);
    await testApp.signIn(page, distributor);
    const home = `${testApp.url}/distributor/distribution/${distribution.id}`;
    /** Returns the size of Rivka's name on each document, in points. */
    const sizes = async (): Promise<(number | undefined)[][]> => {
      const found = [];
      for (const path of ['/print-orders', '/pick-up-print', '/report']) {
        const papers = Object.values(await readPapers(page, home + path));
        found.push(papers.map((pages) => pages.flatMap(({ pieces }) => pieces).find(({ text }) => text.includes('Rivka'))?.size));
      }
      return found;
    };
    const before = await sizes();
    expect(before.flat()).not.toContain(undefined);
    for (const text of LONG_TEXTS) {
      await db.updateTable('contacts').set(contactOf(text)).where('userId', '=', other.id).execute();
      await db.updateTable('orders').set({ note: text }).where('id', '=', id).execute();
      expect(await sizes()).toEqual(before);
    }
  },
);
