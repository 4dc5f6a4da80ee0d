// Every literal text of the contact page (spec §2, §8).
export const CONTACT_TITLE = 'Contact Information';
export const SAVE_CONTACT = 'Save Contact Information';
export const CONTACT_SAVED = { title: 'Success', description: 'Contact information saved' };
