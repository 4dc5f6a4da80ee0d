-- Every 3 seconds the counter reads the orders that have changed (contract §14). An order counts as changed if its row in orders was
-- written by a transaction that the counter's last read did not see. When a weight or a payment changes, these triggers therefore update
-- the row of the order with the same values. A timestamp or a counter would miss transactions that commit late.
CREATE FUNCTION touch_orders_of_weights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET version = version WHERE id IN (SELECT line."orderId" FROM written JOIN order_products line ON line.id = written."orderProductId")
    AND xmin <> pg_current_xact_id()::xid;
  RETURN NULL;
END
$$;
CREATE TRIGGER touch_orders_of_new_weights AFTER INSERT ON actual_quantities
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_weights();
CREATE TRIGGER touch_orders_of_changed_weights AFTER UPDATE ON actual_quantities
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_weights();
CREATE TRIGGER touch_orders_of_removed_weights AFTER DELETE ON actual_quantities
  REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_weights();

CREATE FUNCTION touch_orders_of_payments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET version = version WHERE id IN (SELECT "orderId" FROM written) AND xmin <> pg_current_xact_id()::xid;
  RETURN NULL;
END
$$;
CREATE TRIGGER touch_orders_of_payments AFTER INSERT ON payments
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_payments();
