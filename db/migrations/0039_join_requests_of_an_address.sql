-- When a person sets a password with a mailed link, the open requests for the person's e-mail address are deleted at all distributors. This
-- index finds them.
CREATE INDEX join_requests_by_email ON join_requests (email);
