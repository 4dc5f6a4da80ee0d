-- Fills Feastday's tables with the data that floor/schema.sql creates for the baseline. The ids are the same.
INSERT INTO users (email, role) VALUES ('distributor@bench.test', 'distributor');
INSERT INTO users (email, role, "distributorId") SELECT 'customer' || g || '@bench.test', 'customer', 1 FROM generate_series(0, 3999) g;
INSERT INTO contacts ("userId", "firstName", "lastName", phone) SELECT id, 'First' || id, 'Last' || id, '555' FROM users;
-- The session cookie of user 7 is s7. The table stores the hash of the cookie.
INSERT INTO session_store (sid, sess, expire, "userId")
  SELECT translate(rtrim(encode(sha256(('s' || id)::bytea), 'base64'), '='), '+/', '-_'), jsonb_build_object('createdAt', now()), now() + interval '7 days', id FROM users;
INSERT INTO distributions (id, "distributorId", name, date, published) SELECT g, 1, 'Holiday ' || g, current_date, true FROM generate_series(1, 50) g;
INSERT INTO distributions (id, "distributorId", name, date, published) VALUES (1000, 1, 'Holiday report', current_date, true);
INSERT INTO fees ("distributorId", "distributionId", name, type, sort_order, amount)
  SELECT 1, d.id, f.* FROM distributions d, (VALUES ('Service', 'percent', 1, 300), ('Delivery', 'flat', 2, 500)) f;
INSERT INTO products ("distributorId", "distributionId", name, description, unit_price, unit_qty, uom, unit_qty_is_estimate, max_order_qty, product_group, product_code)
  SELECT 1, d.id, 'Holiday product ' || g, 'Description of holiday product ' || g || '; sold by the case for the holiday distribution', ((g * 37) % 90 + 5) * 100, 1, 'lb', g % 5 = 0, 0,
    (ARRAY['Meat','Poultry','Fish','Dairy','Bakery','Wine','Produce','Dry goods'])[g % 8 + 1], 1000 + g
  FROM distributions d, generate_series(1, 200) g ORDER BY d.id, g;
WITH o AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy") SELECT 1, 1000, g + 1, g + 1 FROM generate_series(1, 1000) g RETURNING id)
  INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
  SELECT 1, 1000, o.id, 10000 + ((o.id * 7 + k * 16) % 200) + 1, 1 + k % 4, 1 + k % 4 FROM o, generate_series(0, 11) k;
INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy") SELECT op.id, op.quantity, o."customerId" FROM order_products op JOIN orders o ON o.id = op."orderId";
-- The job placeLimited orders these three products in each of the distributions 29 to 38. Their limit is so high that the orders never
-- reach it.
UPDATE products SET total_limit = 1000000 WHERE "distributionId" BETWEEN 29 AND 38 AND (id - 1) % 200 IN (0, 16, 32);
VACUUM ANALYZE;
