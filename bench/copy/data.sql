-- A distribution of 3,000 products, half of them sold by weight, with 2,000 orders of 25 lines, and 100,000 recorded weights.
INSERT INTO users (email, role) VALUES ('distributor@bench.test', 'distributor');
INSERT INTO users (email, role, "distributorId") SELECT 'customer' || g || '@bench.test', 'customer', 1 FROM generate_series(1, 2000) g;
-- The distributor's session cookie is s1. The table stores the hash of the cookie.
INSERT INTO session_store (sid, sess, expire, "userId")
  VALUES (translate(rtrim(encode(sha256('s1'), 'base64'), '='), '+/', '-_'), jsonb_build_object('createdAt', now()), now() + interval '7 days', 1);
INSERT INTO distributions ("distributorId", name, date, published, "orderingOpen") VALUES (1, 'Last year', current_date, true, false);
INSERT INTO products ("distributorId", "distributionId", name, description, unit_price, unit_qty, uom, unit_qty_is_estimate, product_group, product_code)
  SELECT 1, 1, 'Holiday product ' || g, 'Description of holiday product ' || g, 1000, 5, 'lb', g % 2 = 1, 'Group ' || g % 40, g FROM generate_series(1, 3000) g;
INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy") SELECT 1, 1, g + 1, g + 1 FROM generate_series(1, 2000) g;
INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
  SELECT 1, 1, o, 1 + 2 * ((o * 25 + k) % 1500), 2, 2 FROM generate_series(1, 2000) o, generate_series(0, 24) k;
INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
  SELECT id, unit, 4 + (id * 7 + unit) % 3000 / 1000.0, 1 FROM order_products, generate_series(0, 1) unit;
