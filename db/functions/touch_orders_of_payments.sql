-- Updates the row of the order of a new payment with the same values, so that the counter reads this order again. touch_orders_of_weights
-- explains this.
CREATE OR REPLACE FUNCTION touch_orders_of_payments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET version = version WHERE id IN (SELECT "orderId" FROM written) AND xmin <> pg_current_xact_id()::xid;
  RETURN NULL;
END
$$;
