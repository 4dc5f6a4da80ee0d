-- Only servers of the previous version call this function.
-- Saves a batch of orders and returns the outcome of each. save_orders_v3 replaces this function.
CREATE OR REPLACE FUNCTION save_orders_v1(distribution_id integer, items jsonb, max_lock_wait text)
  RETURNS TABLE (id integer, outcome text) LANGUAGE sql VOLATILE AS $$
  SELECT * FROM save_orders_v2(distribution_id, items, max_lock_wait)
$$;
