-- One open distribution of 200 products and 2 fees, and :customers customers who share the password hash :hash.
INSERT INTO users (email, role) VALUES ('distributor@bench.test', 'distributor');
INSERT INTO users (email, role, "distributorId", password) SELECT 'customer' || g || '@bench.test', 'customer', 1, ':hash' FROM generate_series(1, :customers) g;
INSERT INTO contacts ("userId", "firstName", "lastName", address, city, state, zip, phone)
  SELECT id, 'First' || id, 'Last' || id, '1 Main Street', 'Bethel', 'NY', '12720', '555' FROM users;
INSERT INTO distributions (id, "distributorId", name, date, published) VALUES (1, 1, 'Holiday', current_date, true);
INSERT INTO fees ("distributorId", "distributionId", name, type, sort_order, amount) VALUES (1, 1, 'Service', 'percent', 1, 300), (1, 1, 'Delivery', 'flat', 2, 500);
INSERT INTO products ("distributorId", "distributionId", name, description, unit_price, unit_qty, uom, unit_qty_is_estimate, product_group, product_code)
  SELECT 1, 1, 'Holiday product ' || g, 'Description of holiday product ' || g || '; sold by the case for the holiday distribution', ((g * 37) % 90 + 5) * 100, 1, 'lb', g % 5 = 0,
    (ARRAY['Meat','Poultry','Fish','Dairy','Bakery','Wine','Produce','Dry goods'])[g % 8 + 1], 1000 + g FROM generate_series(1, 200) g;
