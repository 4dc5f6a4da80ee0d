// Maps each kind of mail to the function that renders it.
import { existsMail, invitationMail, joinMail, resetMail } from './features/auth/mail.ts';
import { bulkMail, testMail } from './features/emails/mail.ts';
import { confirmationMail } from './features/orders/mail.ts';
import { shortDeliveryMail } from './features/short-delivery/mail.ts';
import { reminderMail } from './features/reminders/mail.ts';
import { holdMail } from './features/waiting/mail.ts';
import type { Renderers } from './server/mail/outbox-worker.ts';

export const renderers: Renderers = {
  invitation: invitationMail,
  reset: resetMail,
  exists: existsMail,
  confirmation: confirmationMail,
  bulk: bulkMail,
  test: testMail,
  join: joinMail,
  'short-delivery': shortDeliveryMail,
  reminder: reminderMail,
  hold: holdMail,
};
