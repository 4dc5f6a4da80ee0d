-- Returns the key under which the mails to an e-mail address (in lower case) are counted. `countedMailboxOf` (src/server/mail/mailbox.ts)
-- computes the same key and explains it. The function uses no regular expressions, because a mailing calls it for all mails of a day.
-- Indexes store the results of this function. A function with other results must therefore get another name, and new indexes.
CREATE OR REPLACE FUNCTION counted_mailbox_v1(email text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE
  WHEN email LIKE '%@%.fastmail.%' THEN translate(split_part(split_part(email, '@', 2), '.fastmail.', 1), '._-', '')
    || '@fastmail.' || split_part(split_part(email, '@', 2), '.fastmail.', 2)
  ELSE translate(left(email, 1) || split_part(split_part(split_part(substr(email, 2), '@', 1), '+', 1),
      CASE WHEN email LIKE '%@yahoo.%' THEN '-' ELSE '+' END, 1), '._-', '')
    || '@' || CASE split_part(email, '@', 2)
      WHEN 'googlemail.com' THEN 'gmail.com'
      WHEN 'protonmail.com' THEN 'proton.me' WHEN 'protonmail.ch' THEN 'proton.me' WHEN 'pm.me' THEN 'proton.me'
      WHEN 'me.com' THEN 'icloud.com' WHEN 'mac.com' THEN 'icloud.com'
      WHEN 'ya.ru' THEN 'yandex.com'
      ELSE CASE WHEN email LIKE '%@yandex.%' THEN 'yandex.com' ELSE split_part(email, '@', 2) END END END;
