-- Whether a mailed link was the first step of the sign-in, instead of the password. If so, locks of the account do not apply to the second
-- step.
ALTER TABLE pending_sign_ins ADD COLUMN "byMailedLink" boolean NOT NULL DEFAULT false;
