-- This index is for counting the mails about held units by mailbox, just before such a mail is sent. IF NOT EXISTS is needed because the
-- operator of a database with millions of mails creates the index before the update (docs/operations.md).
CREATE INDEX IF NOT EXISTS emails_about_holds ON emails (counted_mailbox_v1("to"), "sentAt") WHERE kind = 'hold';
