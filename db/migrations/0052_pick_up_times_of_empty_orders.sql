-- An order whose quantities are all 0 does not count as placed, so it has no pick-up time. Earlier versions did not remove the pick-up time
-- of such an order. A server of the previous version may still save such orders during an upgrade, so the queries that count the orders of a
-- pick-up time still leave out orders without units.
UPDATE orders o SET "slotId" = NULL
WHERE o."slotId" IS NOT NULL AND NOT EXISTS (SELECT FROM order_products l WHERE l."orderId" = o.id AND l.quantity > 0);
