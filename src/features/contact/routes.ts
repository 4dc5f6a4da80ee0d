import { on, type Route } from '../../server/http.ts';
import { readContact, saveContact } from './contract.ts';
import { findContact, saveContactOf } from './queries.ts';

export const contactRoutes: Route[] = [
  on(readContact, ({ db, viewer }) => findContact(db, viewer.userId)),
  on(saveContact, ({ db, viewer, body }) => saveContactOf(db, viewer.userId, body)),
];
