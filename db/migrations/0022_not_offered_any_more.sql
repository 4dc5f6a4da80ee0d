-- A product that was ordered cannot be deleted: it stays in its orders, and nobody can order more of it.
ALTER TABLE products ADD COLUMN "notOffered" boolean NOT NULL DEFAULT false;
