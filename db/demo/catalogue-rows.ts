/** A product as the demo's distributor would upload it; unit_price is in cents (spec §3). */
export type CatalogueProduct = {
  product_code: number;
  name: string;
  description: string | null;
  product_group: string;
  unit_price: number;
  unit_qty: number;
  uom: string;
  unit_qty_is_estimate: boolean;
  max_order_qty: number;
};

export type CatalogueRow = Omit<CatalogueProduct, 'product_code' | 'product_group'>;

/** Sold by estimated weight: cents per pound, about so many whole pounds a piece. */
export function byWeight(name: string, centsPerPound: number, aboutPounds: number, description: string | null = null): CatalogueRow {
  return { name, description, unit_price: centsPerPound, unit_qty: aboutPounds, uom: 'lb', unit_qty_is_estimate: true, max_order_qty: 0 };
}

/** Sold by the pack, bottle, box...: cents for one of them. */
export function by(uom: string, name: string, cents: number, description: string | null = null): CatalogueRow {
  return { name, description, unit_price: cents, unit_qty: 1, uom, unit_qty_is_estimate: false, max_order_qty: 0 };
}

/** Sold in a fixed number of units, each at the row's own price: a 3 lb box priced by the pound. */
export function of(unitQty: number, row: CatalogueRow): CatalogueRow {
  return { ...row, unit_qty: unitQty };
}

/** Scarce: no customer gets more than so many. */
export function atMost(max: number, row: CatalogueRow): CatalogueRow {
  return { ...row, max_order_qty: max };
}

/** A product group, its codes counted up from the first one. */
export function group(name: string, firstCode: number, rows: readonly CatalogueRow[]): CatalogueProduct[] {
  return rows.map((row, place) => ({ ...row, product_code: firstCode + place, product_group: name }));
}
