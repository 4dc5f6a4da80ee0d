// The file names and UI texts of the export of a person's data.
export const OWN_FILE = 'feastday-my-data.json';
export const CUSTOMER_FILE = 'feastday-customer-data.json';
export const MY_DATA = 'My data';
export const MY_DATA_LEAD = 'Everything that is kept about you, in one file: contact, orders, weights, payments, e-mails and changes.';
export const DOWNLOAD_MY_DATA = 'Download my data';
export const DOWNLOAD_DATA = 'Download data';
export const DOWNLOAD_FAILED = 'The data could not be downloaded. Check your connection and try again.';
