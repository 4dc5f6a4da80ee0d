import { describe, expect, test } from 'vitest';
import { cents } from '../money.ts';
import { INVENTED_FAMILIES } from './families.ts';
import { rehearsalOrders, type RehearsedProduct } from './orders.ts';

const product = (id: number, values: Partial<RehearsedProduct> = {}): RehearsedProduct => ({
  id,
  unit_price: cents(900),
  unit_qty: 4,
  unit_qty_is_estimate: id % 2 === 0,
  max_order_qty: 0,
  ...values,
});
const CATALOGUE = Array.from({ length: 60 }, (_, index) => product(index + 1, { max_order_qty: index % 3 }));
const byId = new Map(CATALOGUE.map((one) => [one.id, one]));

describe('the invented families (contract §14)', () => {
  test('are 40 families with different names, and telephone numbers that nobody has', () => {
    expect(INVENTED_FAMILIES).toHaveLength(40);
    expect(new Set(INVENTED_FAMILIES.map(({ firstName, lastName }) => `${firstName} ${lastName}`)).size).toBe(40);
    expect(new Set(INVENTED_FAMILIES.map(({ phone }) => phone)).size).toBe(40);
    expect(
      INVENTED_FAMILIES.filter(({ firstName, lastName, phone }) => !firstName || !lastName || !/^\(201\) 555-01\d\d$/.test(phone)),
    ).toEqual([]);
  });

  test('include several families with the same last name, so that agents practice telling them apart', () => {
    const names = Map.groupBy(INVENTED_FAMILIES, ({ lastName }) => lastName);
    expect([...names.values()].filter((families) => families.length > 1).length).toBeGreaterThan(3);
  });
});

describe('the orders of a rehearsal (contract §14)', () => {
  const orders = rehearsalOrders(CATALOGUE, 7);
  const lines = orders.flatMap((order) => order.lines.map((line) => ({ ...line, progress: order.progress })));

  test('are one order per family, and are equal for the same random seed', () => {
    expect(new Set(orders.map(({ family }) => family))).toEqual(new Set(INVENTED_FAMILIES));
    expect(rehearsalOrders(CATALOGUE, 7)).toEqual(orders);
    expect(rehearsalOrders(CATALOGUE, 8)).not.toEqual(orders);
  });

  test('show the middle of a pick-up day: 8 families have left, 6 orders are weighed, 4 are partly weighed, 22 families wait', () => {
    const counted = Map.groupBy(orders, ({ progress }) => progress);
    expect([...counted].map(([progress, found]) => [progress, found.length])).toEqual([
      ['gone', 8],
      ['weighed', 6],
      ['begun', 4],
      ['waiting', 22],
    ]);
    for (const { progress, quantity, weights, productId } of lines) {
      if (byId.get(productId)?.unit_qty_is_estimate !== true || progress === 'waiting') expect(weights).toEqual([]);
      else if (progress !== 'begun') expect(weights).toHaveLength(quantity);
    }
    for (const { lines: begun } of counted.get('begun') ?? []) {
      expect(begun.some(({ weights }) => weights.length > 0)).toBe(true);
      expect(begun.some(({ productId, weights }) => byId.get(productId)?.unit_qty_is_estimate === true && weights.length === 0)).toBe(true);
    }
  });

  test("contain 2 to 4 products sold by weight and 2 to 4 others, and of each product 1 to 3 units but never more than the product's maximum", () => {
    for (const order of orders) {
      const kinds = Map.groupBy(order.lines, ({ productId }) => byId.get(productId)?.unit_qty_is_estimate);
      expect([...kinds.values()].map((kind) => kind.length >= 2 && kind.length <= 4)).toEqual([true, true]);
      expect(new Set(order.lines.map(({ productId }) => productId)).size).toBe(order.lines.length);
    }
    for (const { quantity, productId } of lines) {
      expect(quantity).toBeGreaterThanOrEqual(1);
      expect(quantity).toBeLessThanOrEqual(byId.get(productId)?.max_order_qty || 3);
    }
  });

  test('have weights within 12% of the estimate, in whole hundredths, and never above the largest allowed weight', () => {
    const weights = lines.flatMap((line) => line.weights);
    expect(weights.filter((weight) => weight < 3520 || weight > 4480 || weight % 10 !== 0)).toEqual([]);
    expect(new Set(weights).size).toBeGreaterThan(10);
    const heavy = rehearsalOrders([product(2, { unit_price: cents(1), unit_qty: 1_000_000 })], 1);
    expect(Math.max(...heavy.flatMap((order) => order.lines.flatMap((line) => line.weights)))).toBe(99_999_990);
  });

  test('are created even for a single product, but not without products, and not when every product costs more than $10,000', () => {
    for (const only of [product(1), product(2)]) expect(rehearsalOrders([only], 1).every((order) => order.lines.length === 1)).toBe(true);
    expect(rehearsalOrders([], 1)).toEqual([]);
    expect(rehearsalOrders([product(1, { unit_price: cents(1_000_001), unit_qty: 1 })], 1)).toEqual([]);
  });
});
