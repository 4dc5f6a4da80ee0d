// Sorts the orders for printing pick-up sheets or labels, and lists the units to weigh (contract §14).
import { withActuals } from '../../../domain/weights/actuals.ts';
import { printedLines } from '../../../domain/print.ts';
import { sortNameOrEmail, sortedByName } from '../../../shared/person-name.ts';
import type { PrintData } from '../contract.ts';

export const ORDERS_BY = ['time', 'name'] as const;
type OrdersBy = (typeof ORDERS_BY)[number];

export const nameOf = ({ contact }: PrintData): string => sortNameOrEmail(contact);

const startOf = ({ order }: PrintData): string => order.slot?.startsAt ?? '';

/** Sorts the orders by name, or by pick-up time with orders without a pick-up time at the end. */
export function sortedOrders(prints: readonly PrintData[], by: OrdersBy): PrintData[] {
  const named = sortedByName(prints, ({ contact }) => contact);
  if (by === 'name') return named;
  const [timed, others] = [named.filter(({ order }) => order.slot), named.filter(({ order }) => !order.slot)];
  return [...timed.toSorted((a, b) => startOf(a).localeCompare(startOf(b))), ...others];
}

/** The maximum number of boxes for the weights of one line: nobody fills in more by hand. */
const MAX_BOXES = 200;

export interface UnitToWeigh {
  readonly key: string;
  readonly product: PrintData['products'][number];
  /** The number of the unit within its line, counted from 1. */
  readonly number: number;
}

export const boxesOf = ({ quantity }: PrintData['products'][number]): number => Math.min(quantity, MAX_BOXES);

export const productsOf = ({ products, actuals }: PrintData): PrintData['products'] =>
  printedLines(withActuals(products, actuals)).filter(({ quantity }) => quantity > 0);

export const unitsToWeigh = (print: PrintData): UnitToWeigh[] =>
  productsOf(print)
    .filter((product) => product.unit_qty_is_estimate)
    .flatMap((product) =>
      Array.from({ length: boxesOf(product) }, (_, index) => ({
        key: `${product.orderProductId}-${index}`,
        product,
        number: index + 1,
      })),
    );

export function sheetsOf<Label>(labels: readonly Label[], perSheet: number): Label[][] {
  return Array.from({ length: Math.ceil(labels.length / perSheet) }, (_, sheet) => labels.slice(sheet * perSheet, (sheet + 1) * perSheet));
}
