// The UI texts of the organization and its join link (contract §3).
export const ORGANIZATION_SAVED = { title: 'Success', description: 'Organization saved' };
export const LINK_COPIED = 'Join link copied';
export const LINK_NOT_COPIED = 'The link could not be copied. Select it and copy it by hand.';
export const LINK_RENEWED = 'Join link renewed';
export const LINK_ON = 'Join link turned on';
export const LINK_OFF = 'Join link turned off';

export const NOT_A_TIME_ZONE = 'timeZone must be the name of a time zone, such as America/New_York';

/** The organization in the message that somebody else has changed it meanwhile. */
export const THE_ORGANIZATION = 'The organization';

// The texts of the Organization dialog.
export const ORGANIZATION = 'Organization';
export const ORGANIZATION_MEANS = 'Your name and postal address, as printed orders and e-mails show them.';
/** The hint to a distributor whose organization has no name. */
export const NO_NAME_YET = 'Printed orders and e-mails show your name and postal address.';
export const ENTER_THEM = 'Enter name and address';
export const NAME = 'Name';
export const ADDRESS = 'Address';
export const CITY = 'City';
export const STATE = 'State';
export const ZIP = 'ZIP Code';
export const PHONE = 'Phone Number';
export const TIME_ZONE_MEANS = 'The times of your distributions are typed and shown in it. Changing it moves none of them.';

// The texts of the Join Link dialog, and of the poster that it prints.
export const JOIN_LINK = 'Join Link';
export const JOIN_LINK_MEANS =
  'With this link people become your customers by themselves: they enter their e-mail address and get a mail to set a password.';
export const JOINING_IS_OFF = 'Joining is turned off. Only you can add customers.';
export const TURN_ON = 'Turn on';
export const TURN_OFF = 'Turn off';
export const COPY = 'Copy';
export const PRINT = 'Print';
export const RENEW = 'Renew';
export const LINK_FIELD = 'Join link';
export const QR_CODE = 'QR code of the join link';
export const RENEW_QUESTION = 'Make a new join link?';
export const RENEW_MEANS = 'The link you have now stops working, also where it is printed or mailed. Customers who have joined stay.';
export const STOP_QUESTION = 'Turn the join link off?';
export const STOP_MEANS =
  'It stops working for good, also where it is printed or mailed; turning it on again makes a new one. Customers who have joined stay.';
export const SHEET_LINE = 'Place your holiday order online';
export const SHEET_STEPS: readonly string[] = [
  'Scan the code, or type the address into your browser.',
  'Enter your e-mail address.',
  'Open the mail you get, set a password, and order.',
];
