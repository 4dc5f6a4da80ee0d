-- How many rows a person has saved recently, for the limit of rows in a day, which all servers share. The row with "ofAllStaff" counts the
-- rows of all staff of the distributor "userId" together. `rows` decreases with the time since "countedAt", so that it reaches 0 in a day if
-- it was at the limit.
CREATE TABLE saved_rows (
  "userId" integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  "ofAllStaff" boolean NOT NULL,
  rows double precision NOT NULL,
  "countedAt" timestamptz NOT NULL,
  PRIMARY KEY ("userId", "ofAllStaff")
);
CREATE INDEX saved_rows_by_age ON saved_rows ("countedAt");
