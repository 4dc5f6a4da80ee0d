-- An invitation has a token of its own, so that a reset request for the same address leaves it valid.
ALTER TABLE users ADD COLUMN "invitationToken" text, ADD COLUMN "invitationExpires" timestamptz;
CREATE UNIQUE INDEX users_by_invitation_token ON users ("invitationToken") WHERE "invitationToken" IS NOT NULL;
