// Lists the visual states of ordering times, limits, waiting lists, pick-up times, withdrawn products, uploads, short deliveries and copies
// (contract §11 to §13, §16).
import type { VisualState, VisualStateData, Who } from './setup/visual-state.ts';
import { after, answered, at, EDIT_ONE_PRODUCT, press, reads, type, unanswered, type Step } from './setup/steps.ts';

type Which = 'open' | 'weighing' | 'past' | 'draft';
const tab =
  (name: string, of: Which = 'open') =>
  (ids: VisualStateData): string =>
    `/distributor/distribution/${ids[of]}?tab=${name}`;
const order = ({ open }: VisualStateData): string => `/customer/order/${open}`;

type Json = Readonly<Record<string, unknown>>;
/**
 * Changes the replies to reads of a URL. `change` is called with the record, or with each record of a list and its index. Its result
 * overwrites fields of the record.
 */
const changed =
  (address: string, change: (record: Json, place: number) => object): Step =>
  async (page) =>
    await page.route(address, async (route) => {
      if (route.request().method() !== 'GET') return await route.fallback();
      const reply = (await (await route.fetch()).json()) as Json | Json[];
      const merged = (record: Json, place: number): object => ({ ...record, ...change(record, place) });
      await route.fulfill({ json: Array.isArray(reply) ? reply.map(merged) : merged(reply as Json, 0) });
    });
const all =
  (...steps: readonly Step[]): Step =>
  async (page, ids) => {
    for (const step of steps) await step(page, ids);
  };

const inDialog =
  (name: string): Step =>
  async (page) =>
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

const distributionIs = (change: object): Step =>
  all(
    changed('**/api/distributions', () => change),
    changed('**/api/distributions/*', () => change),
  );
const NEW_YORK = { timeZone: 'America/New_York' };
const TIMES = { ...NEW_YORK, opensAt: '2027-03-01T13:00:00.000Z', closesAt: '2027-04-02T00:00:00.000Z', remindHours: 48 };

const SLOTS = [
  { id: 1, label: 'Sunday morning', startsAt: '2027-04-11T13:00:00.000Z', capacity: 40, taken: 40 },
  { id: 2, label: 'Sunday afternoon, entrance on Elm Street', startsAt: '2027-04-11T18:00:00.000Z', capacity: 40, taken: 12 },
  { id: 3, label: 'Monday', startsAt: '2027-04-12T13:00:00.000Z', capacity: 60, taken: 0 },
];
const HAS_SLOTS = { ...NEW_YORK, hasSlots: true };
const withSlots = all(
  distributionIs(HAS_SLOTS),
  changed('**/api/distributor-order-page-data/**', ({ distribution }) => ({ distribution: { ...(distribution as Json), ...HAS_SLOTS } })),
  answered('**/api/distributions/*/slots', 200, SLOTS),
);

const withDetails = changed('**/api/distributions/*/customer-report?*', (row, place) =>
  row['order_id'] === null ? {} : { slot: SLOTS[1]?.label, note: place % 2 === 0 ? 'Ring twice, please. The gate is on the left.' : null },
);

/** The numbers of units that are left of the first four products. */
const LEFT = [0, 1, 10, 400];
const products = '**/api/distributions/*/products';
const limited = changed(products, (_, place) => (LEFT[place] === undefined ? {} : { total_limit: 400, left: LEFT[place] }));
const withdrawn = changed(products, (_, place) => (place < 2 ? { notOffered: true } : {}));

/**
 * Simulates a waiting list with two entries. A customer waits for the first product, and units of the second product are held for the
 * customer.
 */
const waits: Step = async (page) =>
  await page.route('**/api/distributions/*/waiting', async (route) => {
    const of = new URL(route.request().url()).pathname.replace('waiting', 'products');
    const [first, second] = (await (await page.request.get(new URL(of, route.request().url()).href)).json()) as {
      id: number;
      name: string;
    }[];
    const customer = { id: 5, email: 'rivka.abramov@mail.test', firstName: 'Rivka', lastName: 'Abramov' };
    const entry = { productCode: 1001, quantity: 3, createdAt: '2027-03-01T14:00:00.000Z', customerId: 5, customer };
    const waiting = { ...entry, productId: first?.id, productName: first?.name, heldQuantity: 0, heldUntil: null };
    const held = { ...entry, productId: second?.id, productName: second?.name, heldQuantity: 2, heldUntil: '2027-03-02T14:00:00.000Z' };
    await route.fulfill({ json: [waiting, held] });
  });

const moreOf = press(/^More actions for /);
const SHORT: readonly Step[] = [moreOf, press('Short delivery')];
const preview = inDialog('Show who gets how many');

const RIVKA = { count: 1, customers: [{ firstName: 'Rivka', lastName: 'Abramov', email: 'rivka@example.test' }] };
const UNDO_REPRICES = { orders: RIVKA, paid: RIVKA, products: { count: 1, names: ['Brisket'] }, units: 2, before: 2400, after: 2000 };

const state = (name: string, open: VisualState['open'], as: Who = 'distributor'): VisualState => ({ name, as, rows: 'few', open });

const OF_DISTRIBUTORS: readonly VisualState[] = [
  state('info-times', after(all(withSlots, distributionIs({ ...TIMES, hasSlots: true })), at(tab('distribution-info')))),
  state('ordering-times', at(tab('distribution-info'), press('Set times'), reads('Time zone'))),
  state(
    'ordering-times-faults',
    after(
      distributionIs(NEW_YORK),
      at(
        tab('distribution-info'),
        press('Set times'),
        type('Ordering opens', '2027-11-07T01:30'),
        type('Ordering closes', '2027-03-14T02:30'),
        type('Reminder, hours before closing', '1000'),
        inDialog('Save'),
      ),
    ),
  ),
  state('add-slot', at(tab('distribution-info'), press('Add pick-up time'), reads('Capacity'))),
  state('add-slot-faults', at(tab('distribution-info'), press('Add pick-up time'), inDialog('Add'), reads('Label is required'))),
  state(
    'add-slot-other-day',
    after(
      withSlots,
      at(tab('distribution-info'), press('Add pick-up time'), type('Start', '2027-04-20T09:00'), reads(/^Is the date right/)),
    ),
  ),
  state(
    'change-slot',
    after(withSlots, at(tab('distribution-info'), press(/^Change Sunday morning/), type('Capacity', '30'), reads(/^40 orders have it/))),
  ),
  state('delete-draft', at(tab('distribution-info', 'draft'), press('Delete draft'))),
  state('copy-measured', at(tab('distribution-info', 'past'), press('Copy'), inDialog('As they were weighed'), reads(/mean /))),
  state('dashboard-copy', at('/distributor', press(/^Copy /), reads('Copy distribution'))),
  state(
    'organization-time-zone',
    after(
      changed('**/api/organization', () => NEW_YORK),
      at('/distributor', press('Organization'), reads('Time zone')),
    ),
  ),

  state('products-limited', after(all(limited, waits), at(tab('products'), reads('Waits for')))),
  state(
    'product-limit-below-ordered',
    after(
      changed(products, () => ({ total_ordered: 12 })),
      at(tab('products'), press(EDIT_ONE_PRODUCT), type('Limit of all orders', '8'), reads(/^12 units are ordered already/)),
    ),
  ),
  state('products-withdrawn', after(withdrawn, at(tab('products'), moreOf))),
  state(
    'delete-product',
    after(
      changed(products, () => ({ total_ordered: 0 })),
      at(tab('products'), moreOf, press('Delete')),
    ),
  ),
  state(
    'upload-undo',
    after(
      all(
        answered('**/api/distributions/*/product-uploads', 200, { id: 1, finishedAt: '2027-03-01T14:00:00.000Z', added: 12, changed: 3 }),
        answered('**/api/distributions/*/product-uploads/1/repricing', 200, UNDO_REPRICES),
      ),
      at(tab('products'), press('Upload CSV'), press('Undo this upload')),
    ),
  ),
  state('orders-detailed', after(withDetails, at(tab('customers', 'weighing'), reads('Ring twice')))),
  state('short-delivery', at(tab('products', 'weighing'), ...SHORT, reads('How to share'))),
  state('short-delivery-fault', at(tab('products', 'weighing'), ...SHORT, preview, reads(/^Enter a whole number below/))),
  state(
    'short-delivery-preview',
    at(tab('products', 'weighing'), ...SHORT, type('Units that came', '3'), preview, reads('E-mail everybody who gets less, once')),
  ),
  state(
    'edit-order-slots',
    after(
      withSlots,
      at(({ open, people }) => `/distributor/edit-order/${open}/${people.neighbour.id}`, press('Add a note')),
    ),
  ),
];

const detailed = changed('**/api/orders', () => ({ slotId: 2, note: 'Ring twice, please.\nThe gate is on the left.' }));

const OF_CUSTOMERS: readonly VisualState[] = [
  state('customer-dashboard-slot', after(all(withSlots, detailed), at('/customer', reads('Ring twice'))), 'neighbour'),
  state('customer-order-left', after(limited, at(order, reads('1 left'))), 'customer'),
  state('customer-order-wait', after(limited, at(order, press(/^Join the waiting list/), reads(/held for you for 12 hours/))), 'customer'),
  state('customer-order-waiting', after(all(limited, waits), at(order, reads(/^2 held for you/))), 'customer'),
  state('customer-order-withdrawn', after(withdrawn, at(order)), 'neighbour'),
  state('customer-order-slots', after(withSlots, at(order, reads('Monday'), press('Add a note'))), 'customer'),
  state(
    'customer-order-slot-missing',
    after(
      withSlots,
      at(
        order,
        reads('Monday'),
        async (page) =>
          await page
            .getByRole('button', { name: /^More / })
            .first()
            .click(),
        press('Place Order'),
        reads('Choose a pick-up time.'),
      ),
    ),
    'customer',
  ),
  state('customer-order-times', after(distributionIs({ ...TIMES, opensAt: null }), at(order)), 'customer'),
  state(
    'customer-order-not-open',
    after(distributionIs({ ...TIMES, opensAt: '2099-03-01T13:00:00.000Z', closesAt: null }), at(order)),
    'customer',
  ),
  state('customer-order-slots-loading', after(all(withSlots, unanswered('**/api/distributions/*/slots')), at(order)), 'customer'),
];

export const ORGANISER_STATES: readonly VisualState[] = [...OF_DISTRIBUTORS, ...OF_CUSTOMERS];
