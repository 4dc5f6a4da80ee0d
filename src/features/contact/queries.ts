import { run, transaction, type Db } from '../../server/database/db.ts';
import { unauthenticated } from '../../server/http/errors.ts';
import { realEmailSql } from '../../server/mail/placeholder-email.ts';
import type { Contact, ContactFields } from './contract.ts';

const isComplete = (contact: Contact): boolean => Object.values(contact).every((value) => value !== '');

/**
 * Finds the user's contact. Returns null while any field is missing, because an incomplete contact from an import does not count (contract
 * §3).
 */
export async function findContact(db: Db, userId: number): Promise<Contact | null> {
  const contact = await db.selectFrom('contacts').selectAll().where('userId', '=', userId).executeTakeFirst();
  return contact && isComplete(contact) ? contact : null;
}

/** Saves the contact. `isNew` means that there was no contact before, or an incomplete one. */
export async function saveContactOf(db: Db, userId: number, fields: ContactFields): Promise<{ contact: Contact; isNew: boolean }> {
  return await transaction(db, async (db) => {
    // A request that began before the customer was forgotten must not restore the contact.
    const text = 'SELECT 1 FROM users WHERE id = $1 AND "removedAt" IS NULL FOR KEY SHARE';
    if ((await run(db, text, [userId])).length === 0) throw unauthenticated();
    await db
      .insertInto('contacts')
      .values({ userId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const before = await db.selectFrom('contacts').selectAll().where('userId', '=', userId).forUpdate().executeTakeFirstOrThrow();
    const contact = await db.updateTable('contacts').set(fields).where('userId', '=', userId).returningAll().executeTakeFirstOrThrow();
    return { contact, isNew: !isComplete(before) };
  });
}

/** Selects the contact on an order from the tables users u and contacts c; missing fields are null. */
export const CONTACT_COLUMNS = `${['firstName', 'lastName', 'address', 'city', 'state', 'zip', 'phone']
  .map((name) => `nullif(c."${name}", '') AS "${name}"`)
  .join(', ')}, ${realEmailSql('u')} AS email`;
