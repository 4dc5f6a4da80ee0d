-- Does the same as settle_waiting_list_v2 for callers that do not need its result.
CREATE OR REPLACE FUNCTION settle_waiting_list_v1(distribution_id integer, product_ids integer[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM settle_waiting_list_v2(distribution_id, product_ids);
END
$$;
