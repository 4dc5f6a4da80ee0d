-- When a person sets a password with a mailed link, the open requests for the person's e-mail address are deleted at all distributors. This
-- index finds them.
CREATE INDEX join_requests_by_email ON join_requests (email);

-- The IPv4 address or IPv6 /56 from which a request came last, so that one network cannot fill the list of open requests. Null in requests
-- that a server of an earlier version has stored.
ALTER TABLE join_requests ADD COLUMN network text;
