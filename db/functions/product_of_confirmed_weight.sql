-- Stores the product of a weight in "confirmedProductId" if staff have recorded or confirmed the weight, and null if only the customer has
-- entered it. By this column, which has an index, the weighing page finds the usual weights of a product.
-- PostgreSQL keeps the plan of this statement. A plan that it made when the tables had a few rows would read the whole tables for each
-- weight. With enable_seqscan = off, the plan uses the indexes from the beginning.
CREATE OR REPLACE FUNCTION product_of_confirmed_weight() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  NEW."confirmedProductId" := (SELECT line."productId" FROM order_products line, users recorder
    WHERE line.id = NEW."orderProductId" AND recorder.id = NEW."updatedBy" AND recorder.role <> 'customer');
  RETURN NEW;
END
$$;
