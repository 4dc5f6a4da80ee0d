-- Adds data to that of ../seed.sql: 10,000 customers and a distribution of 500 products. Only few distributions are available to customers,
-- as in production.
INSERT INTO users (email, role, "distributorId") SELECT 'customer' || g || '@bench.test', 'customer', 1 FROM generate_series(4000, 9999) g;
INSERT INTO contacts ("userId", "firstName", "lastName", phone) SELECT id, 'First' || id, 'Last' || id, '555' FROM users WHERE id > 4001;
UPDATE contacts SET address = '1 Main Street', city = 'Bethel', state = 'NY', zip = '12720';
UPDATE distributions SET published = id IN (1, 39, 1000);
INSERT INTO distributions (id, "distributorId", name, date, published) VALUES (1001, 1, 'Holiday large', current_date, true);
INSERT INTO fees ("distributorId", "distributionId", name, type, sort_order, amount) VALUES (1, 1001, 'Service', 'percent', 1, 300), (1, 1001, 'Delivery', 'flat', 2, 500);
INSERT INTO products ("distributorId", "distributionId", name, description, unit_price, unit_qty, uom, unit_qty_is_estimate, max_order_qty, product_group, product_code)
  SELECT 1, 1001, 'Holiday product ' || g, 'Description of holiday product ' || g || '; sold by the case for the holiday distribution', ((g * 37) % 90 + 5) * 100, 1, 'lb', g % 5 = 0, 0,
    (ARRAY['Meat','Poultry','Fish','Dairy','Bakery','Wine','Produce','Dry goods'])[g % 8 + 1], 1000 + g
  FROM generate_series(1, 500) g;
