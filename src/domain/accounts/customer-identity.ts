// Decides when two customers are considered the same person.

export type Identified = Readonly<Record<'email' | 'firstName' | 'lastName' | 'phone', string | null>>;
export type Addressed = Readonly<Record<'address' | 'city' | 'state' | 'zip', string | null>>;

const folded = (text: string | null): string => text?.trim().toLowerCase() ?? '';

/** Identifies a customer by the e-mail address, or without one by name and phone number. */
export const identityOf = ({ email, firstName, lastName, phone }: Identified): string =>
  email || JSON.stringify([folded(firstName), folded(lastName), phone?.replaceAll(/\D/g, '') ?? '']);

/**
 * Identifies a customer within an import. A customer who has no e-mail address is identified by name, phone number and postal address, because
 * people with the same name may live at different places. `identityOf` omits the postal address, because the list of existing customers
 * contains none.
 */
export const identityInList = (customer: Identified & Addressed): string =>
  customer.email
    ? identityOf(customer)
    : JSON.stringify([identityOf(customer), ...[customer.address, customer.city, customer.state, customer.zip].map(folded)]);
