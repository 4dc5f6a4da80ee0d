// Simulates the whole day of a distribution: customers and staff send their calls to the API, step by step. Exact arithmetic computes the
// expected amounts.
import { mulberry32, pick, shuffled, wholeBetween } from '../../src/domain/rehearsal/seeded-random.ts';
import type { Call } from '../../src/client/api/fetch.ts';
import { cents } from '../../src/domain/money.ts';
import { cardFee, PAYMENT_METHODS } from '../../src/domain/payment.ts';
import { basisPoints } from '../../src/domain/money.ts';
import { readOrderForActuals, saveActuals } from '../../src/features/actuals/contract.ts';
import { changeDistribution } from '../../src/features/distributions/contract.ts';
import { addFee, deleteFee } from '../../src/features/fees/contract.ts';
import { placeCustomerOrder, placeOrder } from '../../src/features/orders/contract.ts';
import { recordPayment, reversePayment } from '../../src/features/payments/contract.ts';
import { clearQuantities } from '../../src/features/products/contract.ts';
import { createLimiter } from '../../src/server/queues/limiter.ts';
import type { ExactFee } from './exact.ts';
import { figuresOf, setQuantity, unit, type ExactOrder, type ExactProduct } from './exact-orders.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from './factories.ts';
import type { Person, TestApp } from '../test-app.ts';

export interface Family extends ExactOrder {
  /**
   * Each family has its own random numbers. A seed therefore always gives the same data, in whatever sequence the calls of the families
   * end.
   */
  readonly random: () => number;
  readonly person: Person;
  readonly call: Call;
  orderId: number;
  readonly payments: { id: number; amount: number }[];
}

export interface Day {
  readonly id: number;
  readonly random: () => number;
  readonly staff: Call;
  readonly agent: Call;
  readonly products: readonly ExactProduct[];
  fees: ExactFee[];
  readonly families: readonly Family[];
}

const amounts = (random: () => number, type: 'percent' | 'flat'): number => wholeBetween(random, 0, type === 'flat' ? 2000 : 3000);
const anyFee = (random: () => number) => {
  const type = pick(random, ['percent', 'flat'] as const);
  return { type, sort_order: wholeBetween(random, 0, 3), amount: amounts(random, type) };
};

export async function openDay(testApp: TestApp, { seed, families }: { seed: number; families: number }): Promise<Day> {
  const random = mulberry32(seed);
  const distributor = await makeDistributor(testApp.db);
  const agent = await makeAgent(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor);
  const products: ExactProduct[] = [];
  for (let index = 0; index < 8; index++) {
    const isEstimate = index % 2 === 0;
    const fields = { unit_price: cents(wholeBetween(random, 0, 5000)), unit_qty: wholeBetween(random, 1, 9), product_code: 9 - index };
    const { id, unit_price, unit_qty } = await makeProduct(testApp.db, distribution, { ...fields, unit_qty_is_estimate: isEstimate });
    products.push({ id, unit_price, unit_qty, isEstimate });
  }
  const fees = [await makeFee(testApp.db, distribution, anyFee(random)), await makeFee(testApp.db, distribution, anyFee(random))];
  const people = Array.from({ length: families }, async (_, index): Promise<Family> => {
    const person = await makeCustomer(testApp.db, distributor, { lastName: `Family ${index}` });
    const own = mulberry32(seed * 1000 + index);
    return {
      random: own,
      person,
      call: await testApp.as(person),
      orderId: 0,
      quantities: new Map(),
      weights: new Map(),
      paid: [],
      payments: [],
    };
  });
  return {
    id: distribution.id,
    random,
    staff: await testApp.as(distributor),
    agent: await testApp.as(agent),
    products,
    fees,
    families: await Promise.all(people),
  };
}

const linesOf = (quantities: ReadonlyMap<number, number>) => [...quantities].map(([productId, quantity]) => ({ productId, quantity }));

function anyQuantities(products: readonly ExactProduct[], random: () => number, most: number): Map<number, number> {
  const chosen = shuffled(random, products).slice(0, wholeBetween(random, 1, products.length));
  return new Map(chosen.map(({ id }, index) => [id, wholeBetween(random, index === 0 ? 1 : 0, most)]));
}

async function place(day: Day, family: Family, by: 'customer' | 'staff' | 'agent'): Promise<void> {
  const wanted = anyQuantities(day.products, family.random, 3);
  const body = { distributionId: day.id, products: linesOf(wanted) };
  const saved =
    by === 'customer'
      ? await family.call(placeOrder, { body })
      : await day[by](placeCustomerOrder, { body: { ...body, customerId: family.person.id } });
  family.orderId = saved.id;
  for (const { id } of day.products) setQuantity(family, id, wanted.get(id) ?? 0);
}

/** Generates a weight in thousandths. Weights include 0 and other extreme values. */
const anyWeight = (random: () => number): number =>
  random() < 0.1 ? pick(random, [0, 1, 1001, 4999, 99_999_999]) : wholeBetween(random, 500, 20_000);

async function weigh(family: Family, by: Call, isChosen: (isMissing: boolean) => boolean): Promise<void> {
  const { products } = await by(readOrderForActuals, { params: { orderId: family.orderId } });
  const body: Record<string, number> = {};
  for (const { orderProductId, productId, quantityOrdered } of products) {
    for (let index = 0; index < quantityOrdered; index++) {
      if (!isChosen(!family.weights.has(unit(productId, index)))) continue;
      const weight = anyWeight(family.random);
      family.weights.set(unit(productId, index), weight);
      body[`${orderProductId}-${index}`] = weight / 1000;
    }
  }
  await by(saveActuals, { params: { orderId: family.orderId }, body });
}

async function pay(day: Day, family: Family, share: () => number): Promise<void> {
  const { unweighed, balance } = figuresOf(day.products, day.fees, family);
  if (unweighed > 0 || balance <= 0) return;
  const amount = cents(Math.max(1, Math.floor(balance * share())));
  const paymentMethod = pick(family.random, PAYMENT_METHODS);
  const feeAmount = cardFee(amount, basisPoints(paymentMethod === 'Credit Card' ? 200 : 0));
  const body = { amount, paymentMethod, description: paymentMethod === 'Cash' ? null : 'No. 12', feeAmount };
  const { id } = await day.staff(recordPayment, { params: { orderId: family.orderId }, body });
  family.payments.push({ id, amount });
  family.paid.push(BigInt(amount));
}

async function reverseSome(day: Day, family: Family): Promise<void> {
  for (const payment of family.payments.splice(0)) {
    if (family.random() < 0.7) family.payments.push(payment);
    else {
      const params = { orderId: family.orderId, paymentId: payment.id };
      await day.staff(reversePayment, { params, body: { description: 'Counted twice' } });
      family.paid.push(-BigInt(payment.amount));
    }
  }
}

/** Limits the calls that run at the same time to the number that the database can serve at the same time. */
const inTurn = createLimiter({ concurrency: 10 });
export const everybody = <Result>({ families }: Day, act: (family: Family) => Promise<Result>): Promise<Result[]> =>
  Promise.all(families.map((family) => inTurn(() => act(family))));

const someCaller = (day: Day, family: Family): Call => pick(family.random, [day.staff, day.agent, family.call]);

/** The steps of the day, in the sequence in which they run. */
export const STEPS: readonly (readonly [name: string, step: (day: Day) => Promise<unknown>])[] = [
  ['ordering', (day) => everybody(day, (family) => place(day, family, 'customer'))],
  ['changing', (day) => everybody(day, (family) => place(day, family, pick(family.random, ['customer', 'staff', 'agent'])))],
  [
    'charging a fee more',
    async (day) => {
      const added = await day.staff(addFee, { params: { id: day.id }, body: { name: 'Ice', ...anyFee(day.random) } as never });
      day.fees = [...day.fees, added];
    },
  ],
  [
    'weighing a part',
    async (day) => {
      await day.staff(changeDistribution, { params: { id: day.id }, body: { orderingOpen: false } });
      await day.staff(changeDistribution, { params: { id: day.id }, body: { acceptActuals: true } });
      await everybody(day, (family) => weigh(family, someCaller(day, family), () => family.random() < 0.6));
    },
  ],
  [
    'weighing the rest and some again',
    (day) => everybody(day, (family) => weigh(family, day.agent, (isMissing) => isMissing || family.random() < 0.3)),
  ],
  [
    'clearing a product',
    async (day) => {
      const { id } = pick(day.random, day.products);
      await day.staff(clearQuantities, { params: { id: day.id }, body: { productId: id, product_code: null } });
      for (const family of day.families) setQuantity(family, id, 0);
    },
  ],
  ['paying a part', (day) => everybody(day, (family) => pay(day, family, family.random))],
  [
    'changing after closing',
    (day) => everybody(day, async (family) => void (family.random() < 0.5 && (await place(day, family, 'staff')))),
  ],
  ['weighing again', (day) => everybody(day, (family) => weigh(family, day.staff, (isMissing) => isMissing || family.random() < 0.1))],
  [
    'taking a fee away',
    async (day) => {
      const gone = pick(day.random, day.fees);
      await day.staff(deleteFee, { params: { id: day.id, feeId: gone.id } });
      day.fees = day.fees.filter((fee) => fee.id !== gone.id);
    },
  ],
  ['reversing', (day) => everybody(day, (family) => reverseSome(day, family))],
  ['paying the rest', (day) => everybody(day, (family) => pay(day, family, () => 1))],
];
