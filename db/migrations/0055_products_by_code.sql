-- With these indexes, finding a product by its code, and deleting a distribution, read only the rows that are needed, and not all products,
-- or all mails, of the database. IF NOT EXISTS is needed because the operator of a database with millions of rows creates the indexes
-- before the update (docs/operations.md).
CREATE INDEX IF NOT EXISTS products_by_code ON products ("distributorId", product_code) WHERE product_code IS NOT NULL;
CREATE INDEX IF NOT EXISTS emails_by_distribution ON emails ("distributorId", "distributionId") WHERE "distributionId" IS NOT NULL;
