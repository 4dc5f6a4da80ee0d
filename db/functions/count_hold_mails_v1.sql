-- Sets "replyTo" in the mails about held units that this transaction has queued, so that they count toward the distributor's daily limit.
-- These mails are recognized by their time of creation, which is the time of the transaction.
CREATE OR REPLACE FUNCTION count_hold_mails_v1(distribution_id integer) RETURNS void LANGUAGE sql VOLATILE AS $$
  UPDATE emails SET "replyTo" = (SELECT u.email FROM users u WHERE u.id = emails."distributorId")
  WHERE emails."userId" IN (SELECT w."customerId" FROM waiting_list w WHERE w."distributionId" = distribution_id) AND emails.kind = 'hold'
    AND emails.status = 'queued' AND emails."createdAt" = now();
$$;
