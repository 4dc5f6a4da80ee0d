-- A distributor on a pick-up day, with 1,000 orders. Each order has 12 units of different products, and five of these units must be
-- weighed. The session cookie of user 1 is s1.
INSERT INTO users (email, role) VALUES ('distributor@bench.test', 'distributor');
INSERT INTO users (email, role, "distributorId") SELECT 'customer' || g || '@bench.test', 'customer', 1 FROM generate_series(1, 1000) g;
INSERT INTO contacts ("userId", "firstName", "lastName", phone) SELECT id, 'First' || id, 'Last' || id, '555' FROM users;
INSERT INTO session_store (sid, sess, expire, "userId")
  SELECT translate(rtrim(encode(sha256('s1'::bytea), 'base64'), '='), '+/', '-_'), jsonb_build_object('createdAt', now()), now() + interval '7 days', 1;
INSERT INTO distributions (id, "distributorId", name, date, published, "orderingOpen", "acceptActuals")
  VALUES (2000, 1, 'Holiday counter', current_date, true, false, true);
INSERT INTO fees ("distributorId", "distributionId", name, type, sort_order, amount)
  VALUES (1, 2000, 'Service', 'percent', 1, 300), (1, 2000, 'Delivery', 'flat', 2, 500);
INSERT INTO products (id, "distributorId", "distributionId", name, unit_price, unit_qty, uom, unit_qty_is_estimate, product_group, product_code)
  SELECT 900000 + g, 1, 2000, 'Holiday product ' || g, ((g * 37) % 20 + 5) * 100, 5, 'lb', g <= 40, 'Meat', 1000 + g FROM generate_series(1, 200) g;
-- The ids of the orders have four digits, like those of a distributor who has used Feastday for some years.
SELECT setval(pg_get_serial_sequence('orders', 'id'), 5000);
WITH o AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy") SELECT 1, 2000, g + 1, g + 1 FROM generate_series(1, 1000) g RETURNING id)
  INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
  SELECT 1, 2000, o.id, 900000 + CASE WHEN k < 5 THEN (o.id * 7 + k * 8) % 40 + 1 ELSE 40 + (o.id * 7 + k * 20) % 160 + 1 END, 1, 1 FROM o, generate_series(0, 11) k;
