import { cents } from '../../domain/money.ts';
import { run, type Db } from '../../server/database/db.ts';
import { idChunks, withNextCursor, requestedPage, readAhead, splitLongChunks, type ListSource } from '../../server/database/id-chunks.ts';
import { realEmailSql } from '../../server/mail/placeholder-email.ts';
import type { Row } from '../../server/database/schema.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import type { PageQuery } from '../../shared/pages.ts';
import { accountsIn, readAccountsOf, rowsOfCustomer, type Account, type AccountData } from '../payments/queries.ts';
import { readNameDetails } from '../product-names/queries.ts';
import { readSlotTexts, type SlotTexts } from '../slots/queries.ts';
import type { CustomerReportRow, ReportRow } from './contract.ts';
import { NAME_COLUMNS } from '../contact/queries.ts';
import { wholeOrders } from '../order-rows/queries.ts';

interface Person {
  readonly id: number;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

interface Customer extends Person {
  readonly phone: string | null;
}

const NAMES = `${realEmailSql('u')} AS email, ${NAME_COLUMNS}`;
const NUMBERED = `SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM users u WHERE "distributorId" = $1 AND id > $2
  AND role = (SELECT CASE WHEN d.rehearsal THEN 'invented' ELSE 'customer' END FROM distributions d WHERE d.id = $3)
  AND ("removedAt" IS NULL OR EXISTS (SELECT FROM orders o WHERE o."distributorId" = $1 AND o."customerId" = u.id AND o."distributionId" = $3))
  ORDER BY id`;
const PEOPLE = `SELECT u.id, ${NAMES}, nullif(c.phone, '') AS phone FROM users u LEFT JOIN contacts c ON c."userId" = u.id
  WHERE u."distributorId" = $1 AND u.id = ANY($2::int[]) ORDER BY u.id`;
const CUSTOMERS_AT_ONCE = 500;

type Ordering = Omit<CustomerReportRow, 'customer_id' | 'email' | 'first_name' | 'last_name' | 'phone' | 'key'>;
const NOT_ORDERED: Ordering = {
  order_id: null,
  order_quantity_count: 0,
  expected_count: 0,
  actual_count: 0,
  unconfirmed_count: 0,
  has_all_actuals: true,
  orderAmount: cents(0),
  balance: cents(0),
};

/**
 * Yields batches of rows, one row per customer, sorted by customer id. Customers without an order are included unless their personal data
 * was erased (contract §9). The code in src/domain computes the amounts of money. The list of customers is one consistent snapshot, and the
 * orders of each batch are another. While the amounts of one batch are computed, the next batch is read.
 */
export async function* customerReport(db: Db, distribution: ListSource, query: PageQuery): AsyncGenerator<CustomerReportRow[]> {
  const page = requestedPage(query);
  const values = [distribution.distributorId, page?.after ?? 0, distribution.id];
  const batches = await idChunks(db, { numbered: NUMBERED, values, queue: distribution, size: CUSTOMERS_AT_ONCE, most: page?.limit });
  const options = { values: [distribution.distributorId, distribution.id], queue: distribution };
  const split = splitLongChunks(db, batches, rowsOfCustomer('$3', '$4'), options);
  const read = readAhead(split, async (batch) => {
    const reads = () =>
      Promise.all([run<Customer>(db, PEOPLE, [distribution.distributorId, batch.ids]), readAccountsOf(db, distribution, batch.ids)]);
    return [batch, ...(await runInQueue(distribution, reads))] as const;
  });
  const slots = await readSlotTexts(db, distribution);
  for await (const [batch, people, data] of read) {
    const orderings = orderingsIn(data, slots);
    const rows = people.map((person) => customerRow(person, orderings.get(person.id)));
    yield batch.endsPage ? withNextCursor(rows, (row) => row.customer_id) : rows;
  }
}

const orderingsIn = (data: AccountData, slots: SlotTexts): Map<number, Ordering> =>
  new Map(accountsIn(data).map((account) => [account.customerId, orderingOf(account, slots)]));

function orderingOf(account: Account, slots: SlotTexts): Ordering {
  const { id, order_quantity_count, expected_count, actual_count, unconfirmed_count } = account;
  const { has_all_actuals, orderAmount, balance, pickedUpAt, note, slotId } = account;
  const slot = slotId === null ? undefined : slots.get(slotId);
  const counts = { order_id: id, order_quantity_count, expected_count, actual_count, unconfirmed_count };
  return {
    ...counts,
    has_all_actuals,
    orderAmount,
    balance,
    ...(pickedUpAt !== null && { pickedUpAt }),
    ...(slot !== undefined && { slot }),
    ...(note !== null && { note }),
  };
}

const customerRow = ({ id, email, firstName, lastName, phone }: Customer, ordering = NOT_ORDERED): CustomerReportRow => ({
  customer_id: id,
  email,
  first_name: firstName,
  last_name: lastName,
  phone,
  ...ordering,
});

interface LineRow {
  readonly orderId: number;
  readonly productId: number;
  readonly quantity: number;
}
type ProductRow = Pick<Row<'products'>, 'id' | 'name' | 'product_group' | 'product_code'> & {
  readonly nameDetail?: string | undefined;
};
interface OrderHead extends Person {
  readonly note: string | null;
  readonly slotId: number | null;
  /** The number of the order's lines, including those with quantity 0. */
  readonly lines: number;
}

const ORDERS_AT_ONCE = 1000;
/** The number of orders that are read in a batch when the client requested only one page. */
const FEW_ORDERS = 500;
const ORDERS = `SELECT o.id, ${NAMES}, o.note, o."slotId", (SELECT count(*) FROM order_products l WHERE l."orderId" = o.id) AS lines
  FROM orders o JOIN users u ON u.id = o."customerId"
    LEFT JOIN contacts c ON c."userId" = u.id
  WHERE o."distributorId" = $1 AND o."distributionId" = $2 AND o.id > $3 ORDER BY o.id LIMIT $4`;
const LINES = `SELECT "orderId", "productId", quantity FROM order_products
  WHERE "distributorId" = $1 AND "distributionId" = $2 AND "orderId" = ANY($3::int[]) AND quantity > 0 ORDER BY "orderId", "productId"`;
const PRODUCTS = 'SELECT id, name, product_group, product_code FROM products WHERE "distributorId" = $1 AND "distributionId" = $2';

/** The maximum number of lines that are read at once, unless one order has more. */
const LINES_AT_ONCE = 30_000;

/** Returns the first orders that together have at most LINES_AT_ONCE lines, but at least one order. */
function withFewLines(orders: readonly OrderHead[]): OrderHead[] {
  let lines = 0;
  const end = orders.findIndex((order, index) => (lines += order.lines) > LINES_AT_ONCE && index > 0);
  return end === -1 ? [...orders] : orders.slice(0, end);
}

/**
 * Reads a batch of orders with several small queries, because one join would repeat the customer and the product on every line. The lines
 * of one order come from one consistent snapshot.
 */
const readOrders = (db: Db, distribution: ListSource, after: number, count: number) =>
  runInQueue(distribution, async () => {
    const { distributorId, id } = distribution;
    const found = await run<OrderHead>(db, ORDERS, [distributorId, id, after, count + 1]);
    const orders = withFewLines(found.slice(0, count));
    const lines = orders.length === 0 ? [] : await run<LineRow>(db, LINES, [distributorId, id, orders.map((order) => order.id)]);
    return { orders, lines, hasMore: found.length > orders.length };
  });

type Ordered = Awaited<ReturnType<typeof readOrders>>;

async function readProducts(db: Db, { distributorId, id }: ListSource): Promise<Map<number, ProductRow>> {
  const products = await run<ProductRow>(db, PRODUCTS, [distributorId, id]);
  const details = await readNameDetails(db, { distributorId, id });
  return new Map(products.map((product) => [product.id, { ...product, nameDetail: details.get(product.id) }]));
}

const ROWS_AT_ONCE = 500;

/**
 * Yields the order lines with a quantity above 0 (contract §9), sorted by order and product, in batches. The next batch is read while the
 * previous one is sent. No database connection is occupied between two reads.
 */
export async function* reportLines(db: Db, distribution: ListSource, query: PageQuery): AsyncGenerator<ReportRow[]> {
  const { limit = Infinity, after = 0 } = requestedPage(query) ?? {};
  const count = limit === Infinity ? ORDERS_AT_ONCE : FEW_ORDERS;
  let left = limit;
  let next: Promise<Ordered> | null = readOrders(db, distribution, after, count);
  let products = new Map<number, ProductRow>();
  let slots: SlotTexts = new Map();
  while (next) {
    const { orders, lines, hasMore }: Ordered = await next;
    const taken: readonly LineRow[] = wholeOrders(lines, left);
    const isCut: boolean = taken.length >= left;
    next = isCut || !hasMore ? null : readOrders(db, distribution, orders.at(-1)?.id ?? 0, count);
    // If the consumer stops before it awaits this read, a failure of the read must not become an unhandled rejection.
    next?.catch(() => undefined);
    if (taken.some(({ productId }) => !products.has(productId))) products = await readProducts(db, distribution);
    if (orders.some(({ slotId }) => slotId !== null && !slots.has(slotId))) slots = await readSlotTexts(db, distribution);
    const rowOf = rowsOf(orders, products, slots);
    for (let start = 0; start < taken.length; start += ROWS_AT_ONCE) {
      const rows = taken.slice(start, start + ROWS_AT_ONCE).flatMap(rowOf);
      yield isCut && start + ROWS_AT_ONCE >= taken.length ? withNextCursor(rows, (row) => row.orderId) : rows;
    }
    left -= taken.length;
  }
}

function rowsOf(
  orders: readonly OrderHead[],
  productById: ReadonlyMap<number, ProductRow>,
  slots: SlotTexts,
): (line: LineRow) => ReportRow[] {
  const orderById = new Map(orders.map((order) => [order.id, order]));
  return ({ orderId, productId, quantity }) => {
    const person = orderById.get(orderId);
    const product = productById.get(productId);
    if (!person || !product) return [];
    const slot = person.slotId === null ? undefined : slots.get(person.slotId);
    return [
      {
        email: person.email,
        firstName: person.firstName,
        lastName: person.lastName,
        orderId,
        productName: product.name,
        ...(product.nameDetail && { nameDetail: product.nameDetail }),
        productCategory: product.product_group,
        productCode: product.product_code,
        quantity,
        ...(slot !== undefined && { slot }),
        ...(person.note !== null && { note: person.note }),
      },
    ];
  };
}
