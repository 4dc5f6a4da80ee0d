import { cents } from '../../domain/money.ts';
import { run, type Db } from '../../server/db.ts';
import { turns } from '../../server/turns.ts';
import type { Row } from '../../server/schema.ts';
import { listAccounts } from '../payments/queries.ts';
import type { CustomerReportRow, ReportRow } from './contract.ts';

interface Place {
  readonly distributorId: number;
  readonly id: number;
}

interface Person {
  readonly id: number;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

const PERSON = `SELECT u.id, u.email, nullif(c."firstName", '') AS "firstName", nullif(c."lastName", '') AS "lastName"
  FROM users u LEFT JOIN contacts c ON c."userId" = u.id WHERE u."distributorId" = $1`;

/** Every customer, with or without an order (contract §9); money by domain/. */
export async function customerReport(db: Db, distribution: Place): Promise<CustomerReportRow[]> {
  const [people, accounts] = await Promise.all([
    run<Person>(db, `${PERSON} AND u.role = 'customer' ORDER BY c."lastName", c."firstName", u.email`, [distribution.distributorId]),
    listAccounts(db, distribution),
  ]);
  const byCustomer = new Map(accounts.map((account) => [account.customerId, account]));
  return people.map((person) => {
    const account = byCustomer.get(person.id);
    return {
      customer_id: person.id,
      email: person.email,
      first_name: person.firstName,
      last_name: person.lastName,
      order_id: account?.id ?? null,
      order_quantity_count: account?.order_quantity_count ?? 0,
      expected_count: account?.expected_count ?? 0,
      actual_count: account?.actual_count ?? 0,
      has_all_actuals: account?.has_all_actuals ?? true,
      orderAmount: account?.orderAmount ?? cents(0),
      balance: account?.balance ?? cents(0),
    };
  });
}

interface LineRow {
  readonly orderId: number;
  readonly productId: number;
  readonly quantity: number;
}

const BATCH = 500;
/** Each takes three connections of the pool; one after the other they are ready no later, and nobody else waits. */
const inTurn = turns(1);

/**
 * The lines with a quantity above 0 (contract §9) by order and product, in batches. Three narrow reads: a join would repeat
 * customer and product on every line. Nothing is held in the database while the batches go out.
 */
export async function* reportLines(db: Db, distribution: Place): AsyncGenerator<ReportRow[]> {
  const values = [distribution.distributorId, distribution.id];
  const [lines, orders, products] = await inTurn(() =>
    Promise.all([
      run<LineRow>(
        db,
        `SELECT "orderId", "productId", quantity FROM order_products
       WHERE "distributorId" = $1 AND "distributionId" = $2 AND quantity > 0 ORDER BY "orderId", "productId"`,
        values,
      ),
      run<Person>(
        db,
        `SELECT o.id, p.email, p."firstName", p."lastName" FROM orders o JOIN (${PERSON}) p ON p.id = o."customerId"
       WHERE o."distributorId" = $1 AND o."distributionId" = $2`,
        values,
      ),
      run<Pick<Row<'products'>, 'id' | 'name' | 'product_group' | 'product_code'>>(
        db,
        'SELECT id, name, product_group, product_code FROM products WHERE "distributorId" = $1 AND "distributionId" = $2',
        values,
      ),
    ]),
  );
  const orderById = new Map(orders.map((order) => [order.id, order]));
  const productById = new Map(products.map((product) => [product.id, product]));
  for (let start = 0; start < lines.length; start += BATCH) {
    yield lines.slice(start, start + BATCH).flatMap(({ orderId, productId, quantity }) => {
      const person = orderById.get(orderId);
      const product = productById.get(productId);
      if (!person || !product) return [];
      const { email, firstName, lastName } = person;
      return [
        {
          email,
          firstName,
          lastName,
          orderId,
          productName: product.name,
          productCategory: product.product_group,
          productCode: product.product_code,
          quantity,
        },
      ];
    });
  }
}
