// Simulates a distribution's whole day with random orders over the API: 1,000 orders with npm run prove. After every step, the test
// compares each place that shows amounts with exact arithmetic (contract §7). These places are the customer's order page, the edit page,
// both printed orders, My Orders, the customer report, its file, the payments and the confirmation mail.
import { expect, test } from 'vitest';
import { withActuals } from '../src/domain/weights/actuals.ts';
import { orderTotals, quantitiesOf, type OrderTotals } from '../src/domain/order.ts';
import { printRows, printTotals } from '../src/domain/print.ts';
import { listFees, type Fee } from '../src/features/fees/contract.ts';
import { listOrders, readOrder, readOrderPageData } from '../src/features/orders/contract.ts';
import { listPayments } from '../src/features/payments/contract.ts';
import { readOwnPrint, readPrint, readPrints, type PrintData } from '../src/features/print/contract.ts';
import { listProducts, type Product } from '../src/features/products/contract.ts';
import { readCustomerReport } from '../src/features/reports/contract.ts';
import { customersCsv } from '../src/features/reports/csv.ts';
import { readCsv } from '../src/shared/csv/read-csv.ts';
import { writeCsv } from '../src/shared/csv/write-csv.ts';
import { figuresOf, type Figures } from './data/exact-orders.ts';
import { everybody, openDay, STEPS, type Day, type Family } from './data/market-day.ts';
import { confirmedEarlier, deliverAll, testOutbox, type TestOutbox } from './mail/outbox.ts';
import { iterations } from './setup/iterations.ts';
import { SEED } from './setup/sampling.ts';
import { setupTestApp } from './test-app.ts';

const DISTRIBUTIONS = iterations(1, 20);
const FAMILIES = iterations(10, 50);

const testApp = setupTestApp();

type Shown = readonly [surface: string, shown: unknown, expected: unknown];

const pageSums = ({ subtotal, total, printedTotal }: OrderTotals): number[] => [subtotal, total, printedTotal];

function printed(data: PrintData): object {
  const lines = withActuals(data.products, data.actuals);
  const { subtotal, charges, total, payments, balanceDue, unweighed } = printTotals(lines, data.fees, data.payments);
  const rows = printRows(lines).reduce((sofar, row) => sofar + row.extPrice, 0);
  const added = charges.reduce((sofar, charge) => sofar + charge.amount, subtotal as number);
  const paid = payments.reduce((sofar, payment) => sofar + payment.amount, 0);
  return { sums: [subtotal, total], rows, added, paid, balanceDue, unweighed };
}

function toPrint(exact: Figures, family: Family): object {
  const [subtotal, total] = exact.print;
  const paid = Number(family.paid.reduce((a, b) => a + b, 0n));
  const balanceDue = family.paid.length > 0 ? exact.balance : null;
  return { sums: exact.print, rows: subtotal, added: total, paid, balanceDue, unweighed: exact.unweighed };
}

type Catalogue = readonly [products: readonly Product[], fees: readonly Fee[]];

/** Reads the products and fees as one of the customers. They are the same for all customers. */
async function catalogueOf({ id, families: [family] }: Day): Promise<Catalogue> {
  if (!family) throw new Error('a day without families');
  return [await family.call(listProducts, { params: { id } }), await family.call(listFees, { params: { id } })];
}

async function ownSurfaces(day: Day, family: Family, exact: Figures, [products, fees]: Catalogue): Promise<Shown[]> {
  const at = { distributionId: day.id };
  const [order, orders, print] = await Promise.all([
    family.call(readOrder, { params: at }),
    family.call(listOrders),
    family.call(readOwnPrint, { params: at }),
  ]);
  const mine = orders.find(({ id }) => id === family.orderId);
  return [
    ['order page', pageSums(orderTotals(products, quantitiesOf(order?.products ?? []), fees)), exact.page],
    ['My Orders', [mine?.orderAmount, mine?.balance, mine?.actual_count], [exact.amount, exact.balance, exact.toWeigh - exact.unweighed]],
    ['own printed order', printed(print), toPrint(exact, family)],
  ];
}

async function staffSurfaces(day: Day, family: Family, exact: Figures): Promise<Shown[]> {
  const params = { distributionId: day.id, customerId: family.person.id };
  const [page, print] = await Promise.all([
    day.agent(readOrderPageData, { params }),
    day.staff(readPrint, { params: { id: family.orderId } }),
  ]);
  const sums = pageSums(orderTotals(page.distributionProducts, quantitiesOf(page.orderProducts), page.fees));
  return [
    ['edit page', sums, exact.page],
    ['edit page account', [page.account?.orderAmount, page.account?.balance], [exact.amount, exact.balance]],
    ['printed order', printed(print), toPrint(exact, family)],
  ];
}

const dollars = (amount: number): string =>
  `${amount < 0 ? '-' : ''}${Math.trunc(Math.abs(amount) / 100)}.${String(Math.abs(amount) % 100).padStart(2, '0')}`;

async function lists(day: Day, exactOf: (family: Family) => Figures): Promise<Shown[]> {
  const [report, payments, prints] = await Promise.all([
    day.staff(readCustomerReport, { params: { id: day.id } }),
    day.staff(listPayments, { params: { id: day.id } }),
    day.staff(readPrints, { params: { id: day.id } }),
  ]);
  const file = readCsv(new TextEncoder().encode(writeCsv(customersCsv(report), report))).rows;
  return day.families.flatMap((family): Shown[] => {
    const exact = exactOf(family);
    const row = report.find(({ order_id }) => order_id === family.orderId);
    const line = file.find(({ cells }) => cells['email'] === family.person.email)?.cells;
    const print = prints.find(({ order }) => order.id === family.orderId);
    const paid = payments.filter((payment) => payment.payments.orderId === family.orderId);
    return [
      ['report', [row?.orderAmount, row?.balance, row?.order_quantity_count], [exact.amount, exact.balance, exact.items]],
      ['report: weights', [row?.expected_count, row?.has_all_actuals], [exact.toWeigh, exact.unweighed === 0]],
      ['file', [line?.['amount'], line?.['balance']], [dollars(exact.amount), dollars(exact.balance)]],
      ['all printed orders', print && printed(print), exact.items > 0 ? toPrint(exact, family) : undefined],
      ['payments', exact.amount - paid.reduce((sofar, { payments: { amount } }) => sofar + amount, 0), exact.balance],
    ];
  });
}

const DOLLARS = /\$([\d,]+)\.(\d\d)$/;
const amountIn = (text: string, label: string): number | undefined => {
  const [, whole, part] = DOLLARS.exec(text.split('\n').find((line) => line.startsWith(`${label}: `)) ?? '') ?? [];
  return whole === undefined ? undefined : Number(whole.replaceAll(',', '') + part);
};

/**
 * Sends the confirmations of the orders that were changed in the last step. An order gets at most one confirmation in five minutes, so the
 * test pretends that ten minutes have passed since the last step.
 */
async function mails(outbox: TestOutbox, sent: Map<string, string>): Promise<void> {
  sent.clear();
  await confirmedEarlier(testApp, 10);
  outbox.time = new Date(Date.now() + 1000);
  await deliverAll(outbox);
}

function mailSurface(text: string | undefined, exact: Figures): Shown[] {
  if (text === undefined) return [];
  if (exact.items === 0) return [['mail', text.includes('There is nothing left in your order.'), true]];
  const [subtotal, total, printedTotal] = exact.page;
  const told = ['Subtotal', 'Total', 'Total on the printed order'].map((label) => amountIn(text, label));
  return [['mail', told, [subtotal, total, printedTotal === total ? undefined : printedTotal]]];
}

test(
  'after every step of the pick-up day, the amounts of random orders on screens, prints, files and mails equal an exact calculation with fractions (contract §7)',
  { timeout: 600_000 },
  async () => {
    const sent = new Map<string, string>();
    const transport = {
      send: async ({ to, text }: { to: string; text: string }, { begin }: { begin: () => Promise<void> }) => {
        await begin();
        sent.set(to, text);
        return { status: 'sent' as const, response: '250' };
      },
      close: () => undefined,
    };
    const outbox = testOutbox(testApp, transport);
    const wrong: string[] = [];
    const counted: Record<string, number> = {};
    for (let seed = SEED; seed < SEED + DISTRIBUTIONS; seed++) {
      const day = await openDay(testApp, { seed, families: FAMILIES });
      for (const [name, step] of STEPS) {
        await step(day);
        await mails(outbox, sent);
        const exact = new Map(day.families.map((family) => [family, figuresOf(day.products, day.fees, family)]));
        const exactOf = (family: Family): Figures => exact.get(family) as Figures;
        const catalogue = await catalogueOf(day);
        const each = await everybody(day, async (family) => [
          ...(await ownSurfaces(day, family, exactOf(family), catalogue)),
          ...(await staffSurfaces(day, family, exactOf(family))),
          ...mailSurface(sent.get(family.person.email), exactOf(family)),
        ]);
        for (const [surface, shown, expected] of [...each.flat(), ...(await lists(day, exactOf))]) {
          counted[surface] = (counted[surface] ?? 0) + 1;
          const [a, b] = [JSON.stringify(shown), JSON.stringify(expected)];
          if (a !== b) wrong.push(`seed ${seed}, after ${name}, ${surface}: ${a} instead of ${b}`);
        }
      }
    }
    expect(outbox.errors).toEqual([]);
    expect(wrong.slice(0, 10)).toEqual([]);
    const compared = DISTRIBUTIONS * FAMILIES * STEPS.length;
    for (const surface of ['order page', 'edit page', 'printed order', 'own printed order', 'My Orders', 'report', 'file', 'payments'])
      expect([surface, counted[surface]]).toEqual([surface, compared]);
    // Four steps have sent mails: placing orders to all customers, and two changes and the removal of a product each to about half of them.
    expect(counted['mail']).toBeGreaterThan(1.5 * DISTRIBUTIONS * FAMILIES);
  },
);
