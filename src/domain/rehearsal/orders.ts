// Creates the orders of a rehearsal, as they are in the middle of a pick-up day. Most families still wait, some orders are weighed, and a
// few families have paid and left (our choice, decision 26).
import { cents, type Cents } from '../money.ts';
import { INVENTED_FAMILIES, type InventedFamily } from './families.ts';
import { mulberry32, pick, shuffled, wholeBetween } from './seeded-random.ts';

export interface RehearsedProduct {
  readonly id: number;
  readonly unit_price: Cents;
  readonly unit_qty: number;
  readonly unit_qty_is_estimate: boolean;
  /** The maximum quantity per order; 0 means that there is no maximum. */
  readonly max_order_qty: number;
}

/** The state of an order: not weighed, partly weighed, fully weighed, or paid and picked up. */
type Progress = 'waiting' | 'begun' | 'weighed' | 'gone';

interface RehearsedLine {
  readonly productId: number;
  readonly quantity: number;
  /** The weights of the first units, in thousandths. */
  readonly weights: readonly number[];
}
export interface RehearsedOrder {
  readonly family: InventedFamily;
  readonly progress: Progress;
  readonly lines: readonly RehearsedLine[];
}

// All orders together contain at most this many different products sold by weight, and at most as many other products. With so few
// products, each weighed product soon has eight recorded weights. Further weights are then compared with these (contract §14).
const ORDERED_PRODUCTS = 12;
/** Products with a higher price are not ordered, because the amount of an order could otherwise exceed the largest possible payment. */
const HIGHEST_PRICE = cents(1_000_000);
const QUANTITIES = [1, 1, 2, 2, 3];
const HIGHEST_WEIGHT = 99_999_990;

const PROGRESS: readonly { readonly progress: Progress; readonly families: number }[] = [
  { progress: 'gone', families: 8 },
  { progress: 'weighed', families: 6 },
  { progress: 'begun', families: 4 },
  { progress: 'waiting', families: INVENTED_FAMILIES.length - 18 },
];

/** Returns a random weight in thousandths, within 12% of the estimate and with two decimals, as a scale shows it. */
const weightOf = (random: () => number, { unit_qty }: RehearsedProduct): number =>
  Math.min(HIGHEST_WEIGHT, Math.max(10, Math.round(unit_qty * 100 * (0.88 + 0.24 * random())) * 10));

/** Returns whether a line is weighed. If the weighing of the order has begun, only its first line is weighed. */
const isWeighed = (progress: Progress, line: number): boolean => progress !== 'waiting' && (progress !== 'begun' || line === 0);

/**
 * Returns one order for each family. The families are in random order. The same seed gives the same orders. Returns no orders if no product
 * can be ordered.
 */
export function rehearsalOrders(products: readonly RehearsedProduct[], seed: number): RehearsedOrder[] {
  const random = mulberry32(seed);
  const affordable = shuffled(
    random,
    products.filter(({ unit_price, unit_qty }) => unit_price * unit_qty <= HIGHEST_PRICE),
  );
  if (affordable.length === 0) return [];
  const { weighed = [], counted = [] } = Object.groupBy(affordable, (product) => (product.unit_qty_is_estimate ? 'weighed' : 'counted'));
  const pools = [weighed, counted].map((pool) => pool.slice(0, ORDERED_PRODUCTS));
  const progresses = PROGRESS.flatMap(({ progress, families }) => Array.from({ length: families }, () => progress));
  return shuffled(random, INVENTED_FAMILIES).map((family, index) => {
    const progress = progresses[index] ?? 'waiting';
    const chosen = pools.flatMap((pool) => shuffled(random, pool).slice(0, wholeBetween(random, 2, 4)));
    const lines = chosen.map((product, line) => {
      const wanted = pick(random, QUANTITIES);
      const quantity = product.max_order_qty > 0 ? Math.min(wanted, product.max_order_qty) : wanted;
      const units = product.unit_qty_is_estimate && isWeighed(progress, line) ? quantity : 0;
      return { productId: product.id, quantity, weights: Array.from({ length: units }, () => weightOf(random, product)) };
    });
    return { family, progress, lines };
  });
}
