-- Updates the row of the order of a changed weight with the same values, so that the counter reads this order again (contract §14).
-- An order counts as changed if its row in orders was written by a transaction that the counter's last read did not see. A timestamp or
-- a counter would miss transactions that commit late.
CREATE OR REPLACE FUNCTION touch_orders_of_weights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET version = version WHERE id IN (SELECT line."orderId" FROM written JOIN order_products line ON line.id = written."orderProductId")
    AND xmin <> pg_current_xact_id()::xid;
  RETURN NULL;
END
$$;
