-- A product with orders cannot be deleted. It can be withdrawn: it stays in its orders, and nobody can order more of it.
ALTER TABLE products ADD COLUMN "notOffered" boolean NOT NULL DEFAULT false;
