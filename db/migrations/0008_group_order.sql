-- The order of the product groups of a distribution; null: alphabetical. Groups that are not in the list come after it.
ALTER TABLE distributions ADD COLUMN "groupOrder" text[];
