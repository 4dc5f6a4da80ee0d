-- A browser that has signed in before, under the hash of its cookie. Its failures have a count of their own, so that the failures of
-- strangers lock nobody out of the own device (OWASP device cookies).
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

-- Links mailed before the newest one of their kind, which users holds. They work until they expire: a link that somebody else asks for
-- invalidates none of the owner's.
CREATE TABLE replaced_links (
  "tokenHash" text PRIMARY KEY,
  "userId" integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires timestamptz NOT NULL
);
CREATE INDEX replaced_links_by_user ON replaced_links ("userId");
CREATE INDEX replaced_links_by_age ON replaced_links (expires);
