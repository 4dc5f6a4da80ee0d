// Replies of the API for tests of screens that do not call the real application.

/** A published distribution whose ordering is open. */
export const DISTRIBUTION = {
  id: 9,
  distributorId: 1,
  name: 'Passover 2027',
  date: '2027-04-15',
  published: true,
  acceptActuals: false,
  orderingOpen: true,
  opensAt: null,
  closesAt: null,
  remindHours: null,
  timeZone: null,
  hasSlots: false,
};

/** Returns a product of the distribution with a fixed price of $10. */
export const product = (id: number, name: string, values: object = {}) => ({
  id,
  distributionId: 9,
  name,
  description: null,
  unit_price: 1000,
  unit_qty: 1,
  price: 1000,
  uom: null,
  unit_qty_is_estimate: false,
  max_order_qty: 0,
  product_group: 'Kitchen',
  product_code: null,
  ...values,
});
