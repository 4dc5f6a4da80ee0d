// Decides when two customers are considered the same person.

type Known<Field extends string> = Readonly<Partial<Record<Field, string | null | undefined>>>;
export type Identified = { readonly email: string | null } & Known<'firstName' | 'lastName' | 'phone'>;
type Addressed = Known<'address' | 'city' | 'state' | 'zip'>;

/** Names that differ only in case or in white space at their ends are the same. */
export const folded = (text: string | null | undefined): string => text?.trim().toLowerCase() ?? '';
/** Phone numbers with the same digits are the same. */
export const digitsOf = (phone: string | null | undefined): string => phone?.replaceAll(/\D/g, '') ?? '';

/**
 * Returns a string that is the same for two entries of one customer. A customer with an e-mail address is identified by it, any other
 * customer by name and phone number.
 */
export const identityOf = ({ email, firstName, lastName, phone }: Identified): string =>
  email || JSON.stringify([folded(firstName), folded(lastName), digitsOf(phone)]);

/**
 * Returns a string that is the same for two entries of one customer within an imported file. Unlike in `identityOf`, a customer who has no
 * e-mail address is also identified by the postal address, because people with the same name may live at different places. `identityOf`
 * cannot use the postal address, because the list of existing customers does not contain it.
 */
export const identityInList = (customer: Identified & Addressed): string =>
  customer.email
    ? identityOf(customer)
    : JSON.stringify([identityOf(customer), ...[customer.address, customer.city, customer.state, customer.zip].map(folded)]);
