// Creates the families of a rehearsal (decision 26). Their phone numbers begin with 555-01, which is reserved for fiction, so nobody has
// these numbers.
import { FAMILY_NAMES } from './texts.ts';

export interface InventedFamily {
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
}

export const INVENTED_FAMILIES: readonly InventedFamily[] = FAMILY_NAMES.split(/,\s+/).map((name, index) => {
  const [firstName = '', lastName = ''] = name.split(' ');
  return { firstName, lastName, phone: `(201) 555-01${String(index).padStart(2, '0')}` };
});
