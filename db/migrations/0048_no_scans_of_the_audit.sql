-- These triggers look for the earlier rows of each line that a statement has changed. PostgreSQL keeps the plans of their statements. A plan
-- that it made when the audit had a few rows would read the whole audit for each line, so a statement that changes thousands of lines would
-- take minutes. Without sequential scans, the plans use the indexes of the audit from the beginning.
ALTER FUNCTION bound_order_product_audit() SET enable_seqscan = off;
ALTER FUNCTION bound_actual_quantity_audit() SET enable_seqscan = off;
