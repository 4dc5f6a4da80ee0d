// The calls for a customer's own contact (spec §2 contact page, §7).
import * as z from 'zod/mini';
import { endpoint } from '../../shared/endpoint.ts';
import { Before, Id, requiredText } from '../../shared/fields.ts';
import { outdatedText } from '../../shared/texts.ts';
import { CONTACT_NAMES, THE_CONTACT } from './texts.ts';

export const CONTACT_FIELDS = ['firstName', 'lastName', 'address', 'city', 'state', 'zip', 'phone'] as const;
type ContactField = (typeof CONTACT_FIELDS)[number];

/** Returns an object with a value for each field of a contact. */
export const contactOf = <Value>(valueOf: (field: ContactField) => Value): Record<ContactField, Value> =>
  Object.fromEntries(CONTACT_FIELDS.map((field) => [field, valueOf(field)])) as Record<ContactField, Value>;

/** A customer's contact. Every field is required (spec §5). */
export const ContactFields = z.object(contactOf((field) => requiredText(CONTACT_NAMES[field])));
export type ContactFields = z.infer<typeof ContactFields>;

/**
 * The contact as the customer's form saves it. `changed` names the fields that the customer has changed: the others keep their saved values,
 * except empty ones. Without `changed`, all fields are saved.
 */
const SavedContact = z.extend(ContactFields, {
  changed: z.optional(z.array(z.enum(CONTACT_FIELDS)).check(z.maxLength(CONTACT_FIELDS.length))),
  before: Before,
});
export type SavedContact = z.infer<typeof SavedContact>;

export const Contact = z.extend(ContactFields, { id: Id, userId: Id });
export type Contact = z.infer<typeof Contact>;

/** The contact on an order, for staff and for prints. Missing fields are null. */
export const OrderContact = z.object({ email: z.nullable(z.string()), ...contactOf(() => z.nullable(z.string())) });

export const StaffContact = z.extend(OrderContact, { userId: Id });
export type StaffContact = z.infer<typeof StaffContact>;

export const readContact = endpoint({
  method: 'GET',
  path: '/api/contact',
  summary: 'The own contact, or null while it is incomplete',
  roles: ['customer'],
  reply: z.nullable(Contact),
});

export const saveContact = endpoint({
  method: 'POST',
  path: '/api/contact',
  summary: 'Save the own contact: 201 the first time, 200 later',
  description: 'With `changed`, only the fields that it names replace saved values; a field without a saved value is saved, too.',
  refusals: { 409: outdatedText(THE_CONTACT) },
  roles: ['customer'],
  body: SavedContact,
  reply: Contact,
  status: 201,
  statusOfChange: 200,
});
