// Computes the fees, the total and the balance of an order at the counter, from the recorded and the typed weights. The formulas are in
// src/domain.
import { isUnconfirmed, parseUnitKey, recordedUnits, unweighedCount } from '../../../domain/weights/actuals.ts';
import { usualByProduct } from '../../../domain/weights/plausibility.ts';
import { withDetail } from '../../../domain/product-names.ts';
import { statementOf, type Statement } from '../../../domain/order-statement.ts';
import type { PrintLine } from '../../../domain/print.ts';
import type { Fee } from '../../../domain/fees.ts';
import type { ProductToWeigh } from '../../actuals/contract.ts';
import { weightIn, type Typed, type Units } from '../../actuals/weighing/weights.ts';
import type { Catalogue, CounterOrder, CounterProduct } from '../contract.ts';

interface CounterLine extends PrintLine {
  readonly productId: number;
}

export interface Account extends Statement<CounterLine, Fee> {
  readonly unweighed: number;
  /** The number of weights that the customer recorded and staff have not confirmed. */
  readonly unconfirmed: number;
}

export interface Products {
  readonly byId: ReadonlyMap<number, CounterProduct>;
  readonly fees: readonly Fee[];
}
export const productsIn = ({ products, fees }: Catalogue): Products => ({
  byId: new Map(products.map((product) => [product.id, product])),
  fees,
});

export function orderTyped(order: CounterOrder, units: Units, typed: Typed): CounterOrder {
  const weights = Object.keys(typed).flatMap((key) => {
    const unit = units.find(key);
    const parsed = parseUnitKey(key);
    const weight = unit && weightIn(unit, typed[key]?.text);
    return parsed && weight !== null ? [{ ...parsed, weight }] : [];
  });
  if (weights.length === 0) return order;
  const lines = order.lines.map((line) => {
    const own = weights.filter(({ orderProductId }) => orderProductId === line.orderProductId);
    const others = line.actuals.filter(({ sortOrder }) => !own.some(({ index }) => index === sortOrder));
    return {
      ...line,
      actuals: [...others, ...own.map(({ index, weight }) => ({ sortOrder: index, actualQuantity: weight, byRole: 'agent' as const }))],
    };
  });
  return { ...order, lines };
}

function linesOf({ lines }: CounterOrder, { byId }: Products): CounterLine[] {
  return lines.flatMap((line) => {
    const product = byId.get(line.productId);
    return product ? [{ ...product, ...line, originalQuantity: line.quantity }] : [];
  });
}

export function accountOf(order: CounterOrder, products: Products): Account {
  const lines = linesOf(order, products);
  const weights = order.lines.flatMap((line) => recordedUnits({ ...line, unit_qty_is_estimate: true }));
  return {
    ...statementOf(lines, products.fees, order.payments),
    unweighed: unweighedCount(lines),
    unconfirmed: weights.filter(isUnconfirmed).length,
  };
}

type Usual = ReturnType<typeof usualByProduct>;

/**
 * Returns the usual unit weight of each of these products in this distribution, computed from the recorded weights (contract §14). Weights
 * of customers that staff have not confirmed do not count. Otherwise a customer could decide which weights of others are unusual.
 */
export function usualIn(orders: Iterable<CounterOrder>, products: ReadonlySet<number>): Usual {
  const weights: { productId: number; actualQuantity: number }[] = [];
  for (const { lines } of orders) {
    for (const { productId, actuals } of lines) {
      if (!products.has(productId)) continue;
      for (const weight of actuals) if (!isUnconfirmed(weight)) weights.push({ productId, actualQuantity: weight.actualQuantity });
    }
  }
  return usualByProduct(weights);
}

/** Returns the products of the order that are weighed, sorted as on the printed order. */
export function productsToWeigh(order: CounterOrder, products: Products, usual: Usual): ProductToWeigh[] {
  const codeOf = ({ product_code }: CounterProduct): number => product_code ?? Number.MAX_SAFE_INTEGER;
  return order.lines
    .flatMap((line) => {
      const product = products.byId.get(line.productId);
      return product?.unit_qty_is_estimate ? [{ line, product }] : [];
    })
    .toSorted((a, b) => codeOf(a.product) - codeOf(b.product) || a.line.orderProductId - b.line.orderProductId)
    .map(({ line, product }) => ({
      orderProductId: line.orderProductId,
      productId: line.productId,
      quantityOrdered: line.quantity,
      productCode: product.product_code,
      name: withDetail(product.name, product.nameDetail),
      description: null,
      unit_qty: product.unit_qty,
      unit_price: product.unit_price,
      uom: product.uom,
      usual: usual.get(product.id),
      actuals: line.actuals,
    }));
}
