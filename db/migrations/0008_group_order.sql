-- The order of the product groups of a distribution; null is the alphabet. Products of other groups come after those of the list.
ALTER TABLE distributions ADD COLUMN "groupOrder" text[];
