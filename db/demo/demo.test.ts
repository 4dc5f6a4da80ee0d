import { describe, expect, test } from 'vitest';
import { CATALOGUE } from './catalogue.ts';
import { actualWeight, demoOrders, TIMES_AS_POPULAR } from './orders.ts';
import { isTimeZone } from '../../src/shared/zoned-time.ts';
import { ADMIN, AGENTS, CUSTOMERS, DISTRIBUTOR, demoCustomers } from './people.ts';

const different = <T>(values: readonly T[]) => new Set(values).size;

describe("the demo's catalogue", () => {
  test('has at least 200 products in at least 12 groups; at least a third of the products are sold by estimated weight', () => {
    expect(CATALOGUE.length).toBeGreaterThanOrEqual(200);
    expect(different(CATALOGUE.map((product) => product.product_group))).toBeGreaterThanOrEqual(12);
    expect(CATALOGUE.filter((product) => product.unit_qty_is_estimate).length * 3).toBeGreaterThanOrEqual(CATALOGUE.length);
  });

  test('contains each product code and each product name only once', () => {
    expect(different(CATALOGUE.map((product) => product.product_code))).toBe(CATALOGUE.length);
    expect(different(CATALOGUE.map((product) => product.name.toLowerCase()))).toBe(CATALOGUE.length);
  });

  test('numbers the products by group: all product codes of a group begin with the same hundreds', () => {
    const groups = different(CATALOGUE.map((product) => product.product_group));
    expect(different(CATALOGUE.map(({ product_code, product_group }) => `${Math.floor(product_code / 100)} ${product_group}`))).toBe(
      groups,
    );
  });

  test.each(CATALOGUE)(
    'describes the product $product_code $name in whole cents and whole units, with a name without surrounding spaces',
    (product) => {
      expect(Number.isInteger(product.unit_price) && product.unit_price > 0).toBe(true);
      expect(Number.isInteger(product.unit_qty) && product.unit_qty >= 1).toBe(true);
      expect(Number.isInteger(product.max_order_qty) && product.max_order_qty >= 0).toBe(true);
      expect(product.unit_price * product.unit_qty).toBeLessThanOrEqual(25_000);
      expect(product.name).toBe(product.name.trim());
      expect(product.description).not.toBe('');
      if (product.unit_qty_is_estimate) expect(product.uom).toBe('lb');
    },
  );

  test('contains as its first product "Brisket, first cut" with its price, unit and maximum quantity', () => {
    expect(CATALOGUE[0]).toEqual({
      product_code: 1001,
      name: 'Brisket, first cut',
      description: 'Lean and even, trimmed to a thin cap. Slices neatly.',
      product_group: 'Beef',
      unit_price: 1699,
      unit_qty: 5,
      uom: 'lb',
      unit_qty_is_estimate: true,
      max_order_qty: 3,
    });
  });
});

describe("the demo's customers", () => {
  test('are 250 families with unique e-mail addresses and names, and the first one is Rivka Abramov', () => {
    expect(CUSTOMERS).toHaveLength(250);
    expect(CUSTOMERS[0]).toMatchObject({ email: 'rivka.abramov@mail.test', firstName: 'Rivka', lastName: 'Abramov' });
    expect(different(CUSTOMERS.map((customer) => customer.email))).toBe(250);
    expect(different(CUSTOMERS.map((customer) => `${customer.firstName} ${customer.lastName}`))).toBe(250);
  });

  test('have more than 100 family names, and some families have the same name', () => {
    const families = different(CUSTOMERS.map((customer) => customer.lastName));
    expect(families).toBeGreaterThan(100);
    expect(families).toBeLessThan(250);
  });

  test.each(CUSTOMERS)(
    'include the customer $email with a complete contact and an e-mail address that belongs to no real person',
    (customer) => {
      expect(customer.email).toMatch(/^[a-z0-9._]+@[a-z]+\.test$/);
      expect(customer.phone).toMatch(/^\(\d{3}\) 555-01\d\d$/);
      expect(customer.zip).toMatch(/^\d{5}$/);
      expect(Object.values(customer).filter((value) => value.trim() === '')).toEqual([]);
    },
  );

  test('order from an organization whose time zone is valid and is not UTC', () => {
    expect(isTimeZone(DISTRIBUTOR.timeZone)).toBe(true);
    expect(DISTRIBUTOR.timeZone).not.toBe('UTC');
  });

  test('are the same in every run; when more customers are requested, the first ones stay the same', () => {
    expect(demoCustomers(250)).toEqual(CUSTOMERS);
    expect(demoCustomers(1000).slice(0, 250)).toEqual(CUSTOMERS);
    expect(different(demoCustomers(1000).map((customer) => customer.email))).toBe(1000);
  });

  test('have e-mail addresses that no member of staff has', () => {
    const emails = [ADMIN.email, DISTRIBUTOR.email, ...AGENTS.map((agent) => agent.email), ...CUSTOMERS.map((customer) => customer.email)];
    expect(emails.slice(0, 4)).toEqual(['admin@feastday.test', 'office@bethel.test', 'packing@bethel.test', 'hall@bethel.test']);
    expect(different(emails)).toBe(254);
  });
});

describe("the demo's orders", () => {
  const products = CATALOGUE.map(({ product_code, name, max_order_qty }) => ({ id: product_code, name, max_order_qty }));
  const customerIds = CUSTOMERS.map((_, index) => index + 1);
  const orders = demoOrders({ products, customerIds, share: 0.85, seed: 1 });
  const maximum = new Map(products.map((product) => [product.id, product.max_order_qty]));

  test('are placed by 213 of 250 customers, one order per customer, when 85% of the customers shall order', () => {
    expect(orders).toHaveLength(213);
    expect(different(orders.map((order) => order.customerId))).toBe(213);
  });

  test("contain 4 to 18 different products, 1 to 4 units of each and never more than the product's maximum", () => {
    for (const order of orders) {
      expect(order.products.length).toBeGreaterThanOrEqual(4);
      expect(order.products.length).toBeLessThanOrEqual(18);
      expect(different(order.products.map((line) => line.productId))).toBe(order.products.length);
      for (const { productId, quantity } of order.products) {
        expect([1, 2, 3, 4]).toContain(quantity);
        expect(quantity).toBeLessThanOrEqual(maximum.get(productId) || 4);
      }
    }
  });

  test('contain popular products more often than others', () => {
    const ordered = (code: number) => orders.filter((order) => order.products.some((line) => line.productId === code)).length;
    expect(ordered(1001)).toBeGreaterThan(60);
    expect(ordered(1310)).toBeGreaterThan(ordered(1316));
  });

  test('prefer the products of a list that names only products of the catalogue', () => {
    const names = new Set(CATALOGUE.map((product) => product.name));
    expect(Object.keys(TIMES_AS_POPULAR).filter((name) => !names.has(name))).toEqual([]);
  });

  test('are equal for the same random seed, and differ for different seeds', () => {
    expect(demoOrders({ products, customerIds, share: 0.85, seed: 1 })).toEqual(orders);
    expect(demoOrders({ products, customerIds, share: 0.85, seed: 2 })).not.toEqual(orders);
  });

  test('have different weights within 15% of the estimate, in whole hundredths of a pound', () => {
    const weights = Array.from({ length: 500 }, (_, seed) => actualWeight(5, seed));
    expect(weights.filter((weight) => weight < 4250 || weight > 5750 || weight % 10 !== 0)).toEqual([]);
    expect(different(weights)).toBeGreaterThan(50);
    expect(actualWeight(5, 1)).toBe(4720);
  });
});
