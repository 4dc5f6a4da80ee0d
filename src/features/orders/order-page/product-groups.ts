// Selects the products that the order page shows: those of a category, the ordered ones, or the matches of a search in all categories.
import type { Quantities } from '../../../domain/order.ts';
import type { Product } from '../../products/contract.ts';
import { OTHER_GROUP } from '../../products/texts.ts';

/** Two values of the select that cannot be names of groups, because group names are trimmed and never empty. */
export const ALL = '';
export const MINE = ' mine';

export interface ProductGroup {
  readonly name: string;
  readonly products: readonly Product[];
}

/** Groups the products and keeps their sequence. Products without a group are in the group OTHER_GROUP. */
export const groupsOf = (products: readonly Product[]): ProductGroup[] =>
  [...Map.groupBy(products, (product) => product.product_group ?? OTHER_GROUP)].map(([name, of]) => ({ name, products: of }));

export const unitsIn = (products: readonly Product[], quantities: Quantities): number =>
  products.reduce((units, product) => units + (quantities.get(product.id) ?? 0), 0);

function isFound({ name, product_group, product_code }: Product, words: readonly string[]): boolean {
  const text = `${name} ${product_group ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word) || (product_code !== null && String(product_code).startsWith(word)));
}

const having = (groups: readonly ProductGroup[], isShown: (product: Product) => boolean): ProductGroup[] =>
  groups.map((group) => ({ ...group, products: group.products.filter(isShown) })).filter((group) => group.products.length > 0);

export function searchProducts(groups: readonly ProductGroup[], search: string): ProductGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return having(groups, (product) => isFound(product, words));
}

export const ofCategory = (groups: readonly ProductGroup[], category: string): ProductGroup[] =>
  groups.filter(({ name }) => name === category);

export const orderedGroups = (groups: readonly ProductGroup[], ids: ReadonlySet<number>): ProductGroup[] =>
  having(groups, ({ id }) => ids.has(id));
