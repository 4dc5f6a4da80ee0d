// The UI texts of the contact page (spec §2, §8).
export const CONTACT_TITLE = 'Contact Information';
export const SAVE_CONTACT = 'Save Contact Information';
export const CONTACT_SAVED = { title: 'Success', description: 'Contact information saved' };
export const CONTACT_LEAD = 'Your distributor packs and prints your order under this name, and calls this number.';
/** A contact in the message that somebody else has changed it meanwhile. */
export const THE_CONTACT = 'The contact';
export const CONTACT_LABELS = {
  firstName: 'First Name',
  lastName: 'Last Name',
  address: 'Address',
  city: 'City',
  state: 'State',
  zip: 'ZIP Code',
  phone: 'Phone Number',
};
export const CONTACT_NAMES = {
  firstName: 'First name',
  lastName: 'Last name',
  address: 'Address',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
  phone: 'Phone number',
};
