// When two customers are considered the same person.

export type Identified = Readonly<Record<'email' | 'firstName' | 'lastName' | 'phone', string | null>>;
export type Addressed = Readonly<Record<'address' | 'city' | 'state' | 'zip', string | null>>;

const folded = (text: string | null): string => text?.trim().toLowerCase() ?? '';

/** The e-mail address, or the name and phone number without one. */
export const identityOf = ({ email, firstName, lastName, phone }: Identified): string =>
  email || JSON.stringify([folded(firstName), folded(lastName), phone?.replaceAll(/\D/g, '') ?? '']);

/**
 * Within one list, the postal address counts where there is no e-mail address: two people of one name may live apart. Lists of existing
 * customers come without addresses.
 */
export const identityInList = (customer: Identified & Addressed): string =>
  customer.email
    ? identityOf(customer)
    : JSON.stringify([identityOf(customer), ...[customer.address, customer.city, customer.state, customer.zip].map(folded)]);
