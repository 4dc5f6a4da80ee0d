-- Browsers that have signed in before (OWASP device cookies). Each row contains the hash of the browser's cookie. Failed sign-ins on such a
-- device are counted separately. Failed sign-ins of strangers on other devices therefore do not lock the owner out.
CREATE TABLE devices (
  "tokenHash" text NOT NULL,
  "userId" integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  "loginAttempts" integer NOT NULL DEFAULT 0,
  "lockedUntil" timestamptz,
  "lastFailureAt" timestamptz,
  "usedAt" timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY ("tokenHash", "userId")
);
CREATE INDEX devices_by_user ON devices ("userId", "usedAt");
CREATE INDEX devices_by_age ON devices ("usedAt");

-- Mailed links that a newer link of the same kind has replaced in the table users. They stay valid until they expire, so that a link
-- requested by a stranger does not invalidate the owner's link.
CREATE TABLE replaced_links (
  "tokenHash" text PRIMARY KEY,
  "userId" integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires timestamptz NOT NULL
);
CREATE INDEX replaced_links_by_user ON replaced_links ("userId");
CREATE INDEX replaced_links_by_age ON replaced_links (expires);
