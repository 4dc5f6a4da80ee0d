-- This index is for counting the reminders by mailbox, just before a reminder is sent. IF NOT EXISTS is needed because the operator of a
-- database with millions of mails creates the index before the update (docs/operations.md).
CREATE INDEX IF NOT EXISTS emails_reminded_by_mailbox ON emails (counted_mailbox_v1("to"), "sentAt") WHERE kind = 'reminder';
