import { run, runOne, runSingle, transaction, type Db } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { throwIfOutdated, unauthenticated } from '../../server/errors.ts';
import { realEmailSql } from '../../server/mail/placeholder-email.ts';
import { CONTACT_FIELDS, contactOf, type Contact, type SavedContact } from './contract.ts';
import { THE_CONTACT } from './texts.ts';

const isComplete = (contact: Contact): boolean => Object.values(contact).every((value) => value !== '');

/**
 * Returns the user's contact. Returns null while any field is missing, because a contact from an import may be incomplete (contract §3).
 */
export async function findContact(db: Db, userId: number): Promise<Contact | null> {
  const contact = await runOne<Row<'contacts'>>(db, 'SELECT * FROM contacts WHERE "userId" = $1', [userId]);
  return contact && isComplete(contact) ? contact : null;
}

const SAVE = `UPDATE contacts SET "firstName" = $2, "lastName" = $3, address = $4, city = $5, state = $6, zip = $7, phone = $8
  WHERE "userId" = $1 RETURNING *`;

interface ContactSave {
  contact: Contact;
  /** Whether there was no complete contact before. */
  isNew: boolean;
}

/**
 * Saves the user's contact. Fields that are not in `changed` keep their saved values, because staff may have corrected them while the
 * customer's form was open. If the saved value of such a field is empty, the customer's value is saved, because every field is required. The
 * form of an incomplete contact shows empty fields, whatever is saved, so its previous values are not compared.
 */
export async function saveContactOf(
  db: Db,
  userId: number,
  { changed = [...CONTACT_FIELDS], before: shown = {}, ...fields }: SavedContact,
): Promise<ContactSave> {
  return await transaction(db, async (db) => {
    // Locks the user's row. Stops if the distributor has erased the customer's data since the request was authenticated, because this
    // request must not restore the deleted contact.
    const text = 'SELECT 1 FROM users WHERE id = $1 AND "removedAt" IS NULL FOR KEY SHARE';
    if ((await run(db, text, [userId])).length === 0) throw unauthenticated();
    await run(db, 'INSERT INTO contacts ("userId") VALUES ($1) ON CONFLICT DO NOTHING', [userId]);
    const before = await runSingle<Row<'contacts'>>(db, 'SELECT * FROM contacts WHERE "userId" = $1 FOR UPDATE', [userId]);
    const stored = contactOf((field) => (before[field] === '' ? fields : before)[field]);
    throwIfOutdated(THE_CONTACT, stored, { before: isComplete(before) ? shown : {}, after: fields });
    const after = contactOf((field) => (changed.includes(field) ? fields : stored)[field]);
    const { firstName, lastName, address, city, state, zip, phone } = after;
    const contact = await runSingle<Row<'contacts'>>(db, SAVE, [userId, firstName, lastName, address, city, state, zip, phone]);
    return { contact, isNew: !isComplete(before) };
  });
}

/** The columns of a person's name; missing parts are null. The query must use the alias c for the table contacts. */
export const NAME_COLUMNS = `nullif(c."firstName", '') AS "firstName", nullif(c."lastName", '') AS "lastName"`;

/**
 * The columns of the contact on an order; missing fields are null. The query must use the aliases u for the table users and c for contacts.
 */
export const CONTACT_COLUMNS = `${CONTACT_FIELDS.map((name) => `nullif(c."${name}", '') AS "${name}"`).join(', ')}, ${realEmailSql('u')} AS email`;
