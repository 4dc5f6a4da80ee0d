// Decides when two customers are considered the same person.

export type Identified = Readonly<Record<'email' | 'firstName' | 'lastName' | 'phone', string | null>>;
export type Addressed = Readonly<Record<'address' | 'city' | 'state' | 'zip', string | null>>;

const folded = (text: string | null): string => text?.trim().toLowerCase() ?? '';

/** Identifies a customer by the e-mail address, or without one by name and phone number. */
export const identityOf = ({ email, firstName, lastName, phone }: Identified): string =>
  email || JSON.stringify([folded(firstName), folded(lastName), phone?.replaceAll(/\D/g, '') ?? '']);

/**
 * Within an import, a person without an e-mail address is identified by name, phone number and postal address, because people of one name
 * may live apart. Existing customers are listed without postal addresses.
 */
export const identityInList = (customer: Identified & Addressed): string =>
  customer.email
    ? identityOf(customer)
    : JSON.stringify([identityOf(customer), ...[customer.address, customer.city, customer.state, customer.zip].map(folded)]);
