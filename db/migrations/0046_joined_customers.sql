-- The time at which a customer created the account through a join link. It is null for a person whom the distributor added. Customers who
-- joined have limits of their own, so that strangers with a join link cannot use up the limits of the people whom the distributor adds.
ALTER TABLE users ADD COLUMN "joinedAt" timestamptz;
CREATE INDEX users_joined ON users ("distributorId", "joinedAt") WHERE "joinedAt" IS NOT NULL;
