// SQL statements that insert the data for the floods.

export const MORE_PRODUCTS = `INSERT INTO products ("distributorId", "distributionId", name, unit_price, description)
  SELECT $1, $2, 'Product ' || n, 100, repeat('x', 200) FROM generate_series(1, 5000) n`;

export const MORE_CUSTOMERS = `WITH u AS (INSERT INTO users (email, role, "distributorId")
    SELECT 'slow' || n || '@mail.example', 'customer', $1 FROM generate_series(1, 20000) n
    ON CONFLICT (email) DO NOTHING RETURNING id)
  INSERT INTO contacts ("userId", "lastName", "firstName") SELECT id, repeat('Name ', 20), 'Zev' FROM u`;

export const MORE_DISTRIBUTIONS = `INSERT INTO distributions ("distributorId", name, date, "groupOrder")
  SELECT $1, repeat('Passover ', 20) || n, '2027-04-15', (SELECT array_agg('Group ' || g) FROM generate_series(1, 1000) g)
  FROM generate_series(1, 499) n`;

export const LONG_CATALOGUE = `INSERT INTO products ("distributorId", "distributionId", name, unit_price, description, max_order_qty)
  SELECT $1, $2, 'Long ' || n, 100, (SELECT string_agg(md5((n * 20 + i)::text), ' ') FROM generate_series(1, 20) i), 9
  FROM generate_series(1, 2900) n`;

export const MANY_CATALOGUES = `WITH d AS (INSERT INTO distributions ("distributorId", name, date, published)
    SELECT $1, 'Catalogue ' || n, '2027-04-15', true FROM generate_series(1, 80) n RETURNING id),
  p AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price, description)
    SELECT $1, d.id, 'Long ' || n, 100, (SELECT string_agg(md5((n * 50 + i)::text), ' ') FROM generate_series(1, 50) i) FROM d, generate_series(1, 500) n)
  SELECT id FROM d`;

/** Creates an order of this customer with a line for every product, and returns its first line. */
export const LONG_ORDER = `WITH o AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", version, "updatedBy") VALUES ($1, $2, $3, 1, $3) RETURNING id),
    l AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
      SELECT $1, $2, o.id, p.id, 1, 1 FROM o, products p WHERE p."distributionId" = $2 RETURNING "productId")
  SELECT min("productId") AS id FROM l`;

/** Creates an order with a payment for each customer of the distributor, and lets the counter read the orders. */
export const MORE_ORDERS = `WITH d AS (UPDATE distributions SET "acceptActuals" = true WHERE id = $2),
    o AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
      SELECT $1, $2, id, id FROM users WHERE "distributorId" = $1 AND role = 'customer' ON CONFLICT DO NOTHING RETURNING id)
  INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "paymentMethod", "createdBy", "updatedBy")
    SELECT $1, $2, id, 100, 'Cash', $1, $1 FROM o`;

/** Returns the mark with which a counter reads the changes from now on. */
export const MARK = `SELECT pg_snapshot_xmin(pg_current_snapshot())::text || '.' || "catalogueVersion" AS mark FROM distributions WHERE id = $1`;

/** Creates a distribution whose descriptions have reached their limit together. */
export const FULL_CATALOGUE = `WITH d AS (INSERT INTO distributions ("distributorId", name, date) VALUES ($1, 'Full', '2027-04-15') RETURNING id),
    p AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price, description)
      SELECT $1, d.id, 'Full ' || n, 100, repeat('x', 2000) FROM d, generate_series(1, 1000) n)
  SELECT id FROM d`;
