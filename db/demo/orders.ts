import { mulberry32, pick, shuffled, wholeBetween } from '../../src/domain/rehearsal/seeded-random.ts';

export type OrderableProduct = { id: number; name: string; max_order_qty: number };
export type DemoOrder = { customerId: number; products: { productId: number; quantity: number }[] };

// Maps product names to their popularity, the relative probability of being ordered. Every other product has popularity 1.
export const TIMES_AS_POPULAR: Readonly<Record<string, number>> = {
  'Brisket, first cut': 26,
  'Brisket, second cut': 12,
  'Chuck roast, boneless': 10,
  'French roast': 6,
  'Beef stew, cubed': 8,
  'Ground beef, lean': 14,
  'Short ribs, flanken': 7,
  'Whole chicken, roaster': 9,
  'Chicken, cut in eighths': 18,
  'Chicken legs, whole': 12,
  'Chicken cutlets': 20,
  'Soup chicken, mature hen': 8,
  'Turkey breast, bone in': 5,
  'Sliced pastrami': 6,
  'Salmon side, skin on': 13,
  'Salmon fillet, center cut': 9,
  'Gefilte fish loaf, classic': 14,
  'Nova lox, sliced': 6,
  'Eggs, large white': 24,
  'Butter, unsalted': 7,
  'Cream cheese, whipped': 6,
  'Hand shmurah matzah': 22,
  'Machine matzah, five-pack': 18,
  'Matzah meal': 9,
  'Potato starch': 9,
  'Old Press Concord': 8,
  'Old Press Moscato': 10,
  'Three Terraces Red Blend 2025': 10,
  'Emek Arazim Cabernet Sauvignon 2024': 8,
  'Grape juice, Concord': 18,
  'Romaine hearts, checked': 15,
  'Horseradish root': 8,
  'Potatoes, Idaho, 10 lb': 11,
  'Onions, yellow, 10 lb': 8,
  'Olive oil, extra virgin': 6,
  Mayonnaise: 7,
  'Potato kugel, family pan': 6,
  'Coconut macaroons': 7,
  'Almond cookies': 6,
};

const QUANTITIES = [1, 1, 1, 1, 1, 2, 2, 2, 3, 4];

/** Chooses different products at random, popular ones more often. The method is an exponential race, where the popularity is the rate. */
function basket(random: () => number, products: readonly OrderableProduct[], size: number): OrderableProduct[] {
  return products
    .map((product) => ({ product, arrival: -Math.log(1 - random()) / (TIMES_AS_POPULAR[product.name] ?? 1) }))
    .toSorted((a, b) => a.arrival - b.arrival)
    .slice(0, size)
    .map(({ product }) => product);
}

/**
 * Returns the demo's orders, sorted by their time. A share (0..1) of the customers orders 4 to 18 different products and 1 to 4 units of
 * each, but never more than its max_order_qty (0: no maximum). The same seed gives the same orders.
 */
export function demoOrders(wish: {
  products: readonly OrderableProduct[];
  customerIds: readonly number[];
  share: number;
  seed: number;
}): DemoOrder[] {
  const random = mulberry32(wish.seed);
  const buyers = shuffled(random, wish.customerIds).slice(0, Math.round(wish.customerIds.length * wish.share));
  return buyers.map((customerId) => ({
    customerId,
    products: basket(random, wish.products, wholeBetween(random, 4, 18)).map(({ id, max_order_qty }) => {
      const quantity = pick(random, QUANTITIES);
      return { productId: id, quantity: max_order_qty > 0 ? Math.min(quantity, max_order_qty) : quantity };
    }),
  }));
}

/**
 * Returns an actual weight in thousandths for a unit with the estimate unit_qty: within 15 % of the estimate, mostly closer, with two
 * decimals.
 */
export function actualWeight(unit_qty: number, seed: number): number {
  const random = mulberry32(seed);
  const deviation = (random() + random() - 1) * 0.15;
  return Math.round(unit_qty * 100 * (1 + deviation)) * 10;
}
