/** A product as a distributor would import it; unit_price is in cents (spec §3). */
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

/** Creates a product sold by estimated weight, from the cents per pound and the estimated whole pounds per unit. */
export function byWeight(name: string, centsPerPound: number, aboutPounds: number, description: string | null = null): CatalogueRow {
  return { name, description, unit_price: centsPerPound, unit_qty: aboutPounds, uom: 'lb', unit_qty_is_estimate: true, max_order_qty: 0 };
}

/** Creates a product sold by the pack, bottle, box, etc., from the cents per unit. */
export function by(uom: string, name: string, cents: number, description: string | null = null): CatalogueRow {
  return { name, description, unit_price: cents, unit_qty: 1, uom, unit_qty_is_estimate: false, max_order_qty: 0 };
}

/** Sets how much one unit of a product contains when the price is not per unit, such as a 3 lb box priced per pound. */
export function of(unitQty: number, row: CatalogueRow): CatalogueRow {
  return { ...row, unit_qty: unitQty };
}

/** Sets the maximum quantity that one customer can order of a scarce product. */
export function atMost(max: number, row: CatalogueRow): CatalogueRow {
  return { ...row, max_order_qty: max };
}

/** Creates a product group whose products have consecutive codes, starting with `firstCode`. */
export function group(name: string, firstCode: number, rows: readonly CatalogueRow[]): CatalogueProduct[] {
  return rows.map((row, place) => ({ ...row, product_code: firstCode + place, product_group: name }));
}
