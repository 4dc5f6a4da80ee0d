import { expect, test } from 'vitest';
import { setupTestApp } from '../../../test/test-app.ts';
import { runSingle } from '../database/db.ts';
import { MAILBOX_SQL, mailboxOf } from './mailbox.ts';

const testApp = setupTestApp();

test.each([
  ['noa@example.org', 'noa@example.org'],
  ['noa+feast@example.org', 'noa@example.org'],
  ['noa+a+b@example.org', 'noa@example.org'],
  ['n.o.a@example.org', 'n.o.a@example.org'],
  ['+15550100@sms.example', '+15550100@sms.example'],
  ['n.o.a+feast@gmail.com', 'noa@gmail.com'],
  ['noa@googlemail.com', 'noa@gmail.com'],
  ['n.o.a@gmail.com.example', 'n.o.a@gmail.com.example'],
])('the application and the database compute the same mailbox: %s belongs to %s', async (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
  const text = `SELECT ${MAILBOX_SQL} AS mailbox FROM (SELECT $1::text AS "to") t`;
  expect(await runSingle<{ mailbox: string }>(testApp.db, text, [email])).toEqual({ mailbox });
});
