-- One distribution of 200 products and :orders orders of 12 lines. A fifth of the products are estimate products, half of the units are
-- weighed, and every second order is partly paid. The distributor's session cookie is s1. Sorting customers by name gives another sequence
-- than sorting them by id.
INSERT INTO users (email, role) VALUES ('distributor@bench.test', 'distributor');
INSERT INTO users (email, role, "distributorId") SELECT 'customer' || g || '@bench.test', 'customer', 1 FROM generate_series(1, :orders) g;
INSERT INTO contacts ("userId", "firstName", "lastName", phone) SELECT id, 'First' || id, 'Last' || (id * 7919) % 100003, '555' FROM users;
INSERT INTO session_store (sid, sess, expire, "userId")
  SELECT translate(rtrim(encode(sha256('s1'::bytea), 'base64'), '='), '+/', '-_'), jsonb_build_object('createdAt', now()), now() + interval '7 days', 1;
INSERT INTO distributions (id, "distributorId", name, date, published, "acceptActuals") VALUES (1, 1, 'Holiday', current_date, true, true);
INSERT INTO fees ("distributorId", "distributionId", name, type, sort_order, amount) VALUES (1, 1, 'Service', 'percent', 1, 300), (1, 1, 'Delivery', 'flat', 2, 500);
INSERT INTO products ("distributorId", "distributionId", name, unit_price, unit_qty, uom, unit_qty_is_estimate, product_group, product_code)
  SELECT 1, 1, 'Holiday product ' || g, ((g * 37) % 90 + 5) * 100, 1, 'lb', g % 5 = 0,
    (ARRAY['Meat','Poultry','Fish','Dairy','Bakery','Wine','Produce','Dry goods'])[g % 8 + 1], 1000 + g FROM generate_series(1, 200) g;
INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy") SELECT 1, 1, g + 1, g + 1 FROM generate_series(1, :orders) g;
INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
  SELECT 1, 1, o.id, ((o.id * 7 + k * 16) % 200) + 1, 1 + k % 4, 1 + k % 4 FROM orders o, generate_series(0, 11) k ORDER BY o.id, k;
INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
  SELECT l.id, unit, 1.125, 1 FROM order_products l JOIN products p ON p.id = l."productId", LATERAL generate_series(0, l.quantity - 1) unit
  WHERE p.unit_qty_is_estimate AND l.id % 2 = 0;
INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "paymentMethod", "createdAt", "createdBy", "updatedBy")
  SELECT 1, 1, id, 1000, 'Cash', now() - (id * 7919) % 100003 * interval '1 second', 1, 1 FROM orders WHERE id % 2 = 0;
