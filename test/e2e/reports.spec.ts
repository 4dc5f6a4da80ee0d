// Checks the customers tab and the report tab: their content, the filters in the URL, the sorting, and the files cell by cell.
import { cents } from '../../src/domain/money.ts';
import { downloaded, makeManyLines, makeOrders, orderIdOf, rows } from './placed-orders.ts';
import { expect, test } from './fixtures.ts';

test(
  'the customers tab lists each customer with the amount of the order, filters by the URL, and downloads the rows (spec §1, §2, §9; contract §7, §10)',
  { tag: '@desk' },
  async ({ page, testApp }) => {
    const { distributor, distribution, rivka, moshe, dina } = await makeOrders(testApp);
    // Moshe owes 3 × $12.99 = $38.97; + $5.00 = $43.97; + 3% ($1.3191) = $45.29. He pays all of it.
    await testApp.db
      .insertInto('payments')
      .values({
        orderId: await orderIdOf(testApp, moshe),
        distributorId: distributor.id,
        distributionId: distribution.id,
        amount: cents(4529),
        paymentMethod: 'Cash',
        createdBy: distributor.id,
        updatedBy: distributor.id,
      })
      .execute();
    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=customers`);

    // Nothing is weighed yet, so Rivka's balance is an estimate: 2 × 3 × $15.00 + $12.99 = $102.99; + $5.00 = $107.99; + 3% ($3.2397) =
    // $111.23.
    await expect(page.getByText('2 out of 3 orders placed')).toBeVisible();
    await expect(page.getByText('0 out of 1 weighed')).toBeVisible();
    await expect(page.getByText('$45.29 paid of $156.52')).toBeVisible();
    await expect(rows(page)).toHaveText([
      /Abramov, Rivka.*3.*0 of 2.*\$111\.23 est\..*\$111\.23/,
      /Adler, Moshe.*3.*None needed.*\$45\.29.*Paid/,
      /Cohen, Dina.*—.*No order.*—.*—/,
    ]);

    await page.getByRole('button', { name: 'Not ordered 1' }).click();
    await expect(rows(page)).toHaveText([/Cohen, Dina/]);
    await expect(page).toHaveURL(/view=not-ordered/);
    await page.getByText('$45.29 paid of $156.52').click();
    await expect(rows(page)).toHaveText([/Abramov, Rivka/]);
    await page.goBack();
    await expect(rows(page)).toHaveText([/Cohen, Dina/]);
    await page.reload();
    await expect(rows(page)).toHaveText([/Cohen, Dina/]);
    await page.getByRole('button', { name: 'All 3' }).click();
    await page.getByLabel('Name, e-mail or phone').fill('5550100');
    await expect(rows(page)).toHaveCount(3);
    await page.getByLabel('Name, e-mail or phone').fill(' dina  cohen');
    await expect(rows(page)).toHaveText([/Cohen, Dina/]);
    await page.getByLabel('Name, e-mail or phone').fill('MOSHE');
    await expect(rows(page)).toHaveText([/Adler, Moshe/]);
    await expect(page).toHaveURL(/customers\.name=MOSHE/);

    const header = 'customer id,email,first name,last name,phone,order,items,to weigh,weighed,amount,paid,balance'.split(',');
    const ofRivka = [
      rivka.id,
      rivka.email,
      'Rivka',
      'Abramov',
      '555-0100',
      await orderIdOf(testApp, rivka),
      3,
      2,
      0,
      '111.23',
      '0.00',
      '111.23',
    ];
    const ofMoshe = [
      moshe.id,
      moshe.email,
      'Moshe',
      'Adler',
      '555-0100',
      await orderIdOf(testApp, moshe),
      3,
      0,
      0,
      '45.29',
      '45.29',
      '0.00',
    ];
    const ofDina = [dina.id, dina.email, 'Dina', 'Cohen', '555-0100', '', 0, 0, 0, '0.00', '0.00', '0.00'];
    const whole = await downloaded(page, page.getByRole('link', { name: 'Download Report' }));
    expect(whole.name).toBe(`distribution-customers-${distribution.id}-report.csv`);
    expect(whole.text.startsWith('\uFEFFCustomer ID,Email,')).toBe(true);
    expect(whole.cells).toEqual([header, ofRivka.map(String), ofMoshe.map(String), ofDina.map(String)]);
    const filtered = await downloaded(page, page.getByRole('link', { name: 'Download filtered' }));
    expect(filtered.cells).toEqual([header, ofMoshe.map(String)]);

    await page.getByLabel('Name, e-mail or phone').fill('nobody');
    await expect(page.getByText('No customers match "nobody".')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await expect(rows(page)).toHaveCount(3);
    await page.getByRole('button', { name: 'Balance' }).click();
    await page.getByRole('button', { name: 'Balance' }).click();
    await expect(rows(page).first()).toContainText('Abramov, Rivka');
    await expect(page).toHaveURL(/customers\.sort=-balance/);
  },
);

test(
  'the Report tab filters the report by each column, and downloads it whole and filtered (spec §2, §9; contract §10)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const { distributor, distribution, rivka, moshe } = await makeOrders(testApp);
    const [first, second] = [String(await orderIdOf(testApp, rivka)), String(await orderIdOf(testApp, moshe))];
    await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=report`);
    await expect(rows(page)).toHaveCount(3);
    for (const column of ['Email', 'First name', 'Last name', 'Order', 'Product', 'Category', 'Code', 'Quantity']) {
      await expect(page.getByRole('textbox', { name: `Filter by ${column}` })).toBeVisible();
    }
    await page.getByLabel('Filter by Product').fill('matz');
    await page.getByLabel('Filter by Last name').fill('abr');
    await expect(rows(page)).toHaveText([new RegExp(`${rivka.email}.*Rivka.*Abramov.*${first}.*Matzah.*Dry goods.*2001.*1`)]);
    // The pattern accepts the query parameters in any sequence.
    await expect(page).toHaveURL(/(?=.*report\.lastName=abr)(?=.*report\.product=matz)/);
    await page.reload();
    await expect(rows(page)).toHaveCount(1);

    const header = 'email,first name,last name,order,product,category,code,quantity'.split(',');
    const ofRivka = [rivka.email, 'Rivka', 'Abramov', first];
    const whole = await downloaded(page, page.getByRole('link', { name: 'Download Report' }));
    expect(whole.name).toBe(`distribution-${distribution.id}-report.csv`);
    expect(whole.cells).toEqual([
      header,
      [...ofRivka, 'Brisket', 'Beef', '1001', '2'],
      [...ofRivka, 'Matzah', 'Dry goods', '2001', '1'],
      [moshe.email, 'Moshe', 'Adler', second, 'Matzah', 'Dry goods', '2001', '3'],
    ]);
    const filtered = await downloaded(page, page.getByRole('link', { name: 'Download filtered' }));
    expect(filtered.cells).toEqual([header, [...ofRivka, 'Matzah', 'Dry goods', '2001', '1']]);
  },
);

test('the Report tab renders at most 100 of 12,000 report rows (spec §2, §9)', { tag: ['@desk', '@long'] }, async ({ page, testApp }) => {
  const { distributor, distribution, matzah } = await makeOrders(testApp);
  await makeManyLines(testApp, distributor, distribution);
  await testApp.signIn(page, distributor, `/distributor/distribution/${distribution.id}?tab=report`);
  await expect(page.getByText('12,003 ordered lines')).toBeVisible();
  expect(await page.locator('tr').count()).toBeLessThanOrEqual(100);
  const scroller = page.getByRole('region', { name: 'Report' });
  const { height, all } = await scroller.evaluate((box) => ({ height: box.clientHeight, all: box.scrollHeight }));
  // The scrollable area has 50 px for each of the 12,003 rows, also for rows that are not rendered, and less than 200 px for the header.
  expect([height, Math.floor((all - 12_003 * 50) / 200)]).toEqual([400, 0]);
  await scroller.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await expect(page.getByRole('row').filter({ hasText: 'Product 30' }).last()).toBeVisible();
  expect(await page.locator('tr').count()).toBeLessThanOrEqual(100);
  await page.getByLabel('Filter by Product').fill(matzah.name);
  await expect(rows(page)).toHaveCount(2);
});

test(
  'a distributor filters the people on the dashboard by e-mail address, and downloads them (spec §2, §9)',
  { tag: ['@desk', '@long'] },
  async ({ page, testApp }) => {
    const { distributor, rivka, moshe, dina } = await makeOrders(testApp);
    await testApp.signIn(page, distributor);
    await page.getByRole('tab', { name: 'Agents' }).click();
    await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
    await expect(page.getByText('Manage your user accounts')).toBeVisible();
    await expect(page.getByText('No users found. Add one to get started.')).toBeVisible();
    await page.getByRole('tab', { name: 'Customers' }).click();
    await expect(page.getByText('Manage your customer accounts')).toBeVisible();
    await expect(rows(page)).toHaveCount(3);
    await page.getByRole('button', { name: 'Bulk Operations' }).click();
    const file = await downloaded(page, page.getByRole('dialog').getByRole('link', { name: 'Download Customers' }));
    await page.keyboard.press('Escape');
    expect(file.name).toBe('customers.csv');
    expect(file.cells).toEqual([
      ['id', 'email', 'first name', 'last name', 'phone'],
      [String(rivka.id), rivka.email, 'Rivka', 'Abramov', '555-0100'],
      [String(moshe.id), moshe.email, 'Moshe', 'Adler', '555-0100'],
      [String(dina.id), dina.email, 'Dina', 'Cohen', '555-0100'],
    ]);
    await page.getByRole('button', { name: 'Filter by Email' }).click();
    await page.getByRole('textbox', { name: 'Filter by Email' }).fill(moshe.email.toUpperCase());
    await expect(rows(page)).toHaveText([/Adler, Moshe/]);
    await page.getByRole('button', { name: 'Filter by Email' }).click();
    const search = page.getByRole('textbox', { name: 'Name, e-mail or phone' });
    for (const [wanted, found] of [
      ['moshe adler', 1],
      ['5550100', 3],
      [dina.email, 1],
      ['cohen moshe', 0],
    ] as const) {
      await search.fill(wanted);
      await expect(rows(page)).toHaveCount(found);
    }
  },
);

test('a distributor prints all orders or only the filtered ones (spec §2)', { tag: ['@desk', '@long'] }, async ({ page, testApp }) => {
  const { distributor, distribution } = await makeOrders(testApp);
  await testApp.signIn(page, distributor);
  await page.addInitScript(() => (globalThis.print = () => undefined));
  await page.goto(`${testApp.url}/distributor/distribution/${distribution.id}?tab=customers`);
  await expect(page.getByRole('link', { name: 'Print all orders' })).toBeVisible();
  await page.getByRole('button', { name: 'Has ordered 2' }).click();
  await expect(rows(page)).toHaveText([/Abramov, Rivka/, /Adler, Moshe/]);
  await page.getByRole('textbox', { name: 'Name, e-mail or phone' }).fill('moshe');
  await page.getByRole('button', { name: 'Print orders' }).click();
  await page.getByRole('menuitem', { name: 'Print the 1 order shown' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('1 order');
  await expect(page.getByText('Moshe Adler').first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('1 order');
  await page.goBack();
  await page.getByRole('button', { name: 'Print orders' }).click();
  await page.getByRole('menuitem', { name: 'Print all orders' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('2 orders');
});
