import { on, ReplyWithStatus, type Route } from '../../server/http/pipeline/route.ts';
import { readContact, saveContact } from './contract.ts';
import { findContact, saveContactOf } from './queries.ts';

export const contactRoutes: Route[] = [
  on(readContact, ({ db, viewer }) => findContact(db, viewer.userId)),
  on(saveContact, async ({ db, viewer, body }) => {
    const { contact, isNew } = await saveContactOf(db, viewer.userId, body);
    return new ReplyWithStatus(isNew ? 201 : 200, contact);
  }),
];
