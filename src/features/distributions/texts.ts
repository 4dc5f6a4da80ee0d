// The UI texts of distributions (spec §2, §8; contract §10).
import { counted, numberText } from '../../shared/counted.ts';

export const NONE_OF_DISTRIBUTOR = 'No distributions found. Create one to get started.';
export const NONE_OF_AGENT = 'No distributions found.';

export const DISTRIBUTIONS = 'Distributions';
export const CREATE_DISTRIBUTION = 'Create Distribution';
export const STAYS_DRAFT = 'It stays a draft that customers do not see until you publish it.';

export const CREATED = 'Distribution created successfully';
export const UPDATED = 'Distribution updated successfully';

export const CLOSE_ORDERING = 'Close Ordering';
export const ORDERING_CLOSED = 'Ordering Closed';
/** Shown before the distributor closes ordering of a distribution that was never published. */
export const NOBODY_ORDERED = 'It is not published yet: nobody has been able to order.';

/** Explains what each state of a distribution means. */
export const MEANING = {
  published: 'Your customers see this distribution with its products and prices.',
  draft: 'Only you and your agents see this distribution. Publish it when products, prices and fees are ready.',
  open: 'Customers can place orders and change them until you close ordering.',
  openUntil: (time: string): string => `Customers can place orders and change them until ${time}, or until you close ordering earlier.`,
  notYetOpen: 'Customers can order as soon as the distribution is published.',
  opensLater: 'Customers can order from the time when ordering opens.',
  closed: 'Closed for customers, still editable by staff. Ordering cannot be opened again.',
  accepting: 'Weights can be entered: by you and your agents, and by customers for their own order until its first payment.',
  notAccepting: 'Nobody can enter weights. Start when the goods are on the scale.',
} as const;

/** The heading of the page until the distribution's name is loaded, and the accessible name of the tabs. */
export const DISTRIBUTION = 'Distribution';

// The labels of the back links on the screens below a dashboard and a distribution.
export const BACK_TO_DASHBOARD = 'Back to Dashboard';
export const BACK_TO_DISTRIBUTION = 'Back to Distribution';
export const BACK_TO_CUSTOMERS = 'Back to Customers';
export const BACK_TO_ORDERS = 'Back to Orders';

// Hints beside the Publish switch and the date field. The user may ignore them.
export const NO_PRODUCTS_YET = 'There are no products yet: customers will find nothing to order.';
export const dayHasPassedText = (date: string): string => `${date} has passed already.`;
export const DAY_HAS_PASSED = 'This day has passed already.';

// The name and the error messages of the field `groupOrder`, which sorts the product groups.
export const GROUP_NAME = 'Group';
export const GROUP_TWICE = 'groupOrder must name each group once';
export const TOO_MANY_GROUPS = 'groupOrder has more than 1000 groups';
export const tooLongGroups = (most: number): string =>
  `The names of the product groups have more than ${numberText(most)} characters together. Shorten some of them.`;

// The texts about opening and closing ordering at set times (contract §11).
export const orderFromText = (time: string): string => `Order from ${time}`;
export const orderUntilText = (time: string): string => `Order until ${time}`;
/** Says that somebody else has set the organization's time zone while the user typed times. */
export const zoneIsSetText = (timeZone: string): string =>
  `Somebody else has set the time zone to ${timeZone.replaceAll('_', ' ')}. The times are now in it: check them.`;
export const timeZoneText = (timeZone: string): string => `${timeZone.replaceAll('_', ' ')} time`;
export const NO_SUCH_TIME = 'This time does not exist: the clocks go forward over it. Choose an earlier or a later one.';
export const NOT_A_TIME = 'Choose a date and a time.';
export const HAPPENS_TWICE = {
  question: 'The clocks go back, so this time comes twice. Which one?',
  first: 'The first',
  second: 'The second',
};
export const CLOCK = 'When customers order';
export const BY_HAND = 'Customers can order from publishing until you close ordering.';
export const SET_TIMES = 'Set times';
export const CHANGE_TIMES = 'Change times';
export const opensText = (time: string): string => `Opens ${time}`;
export const closesText = (time: string): string => `Closes ${time}`;
export const OPENS = 'Ordering opens';
export const CLOSES = 'Ordering closes';
export const REMINDER = 'Reminder';
export const REMINDER_FIELD = 'Reminder, hours before closing';
export const REMINDER_MEANS = 'Customers who have not ordered by then get one e-mail. Empty: none.';
export const TIME_ZONE = 'Time zone';
export const CLOSES_MEANS = 'Ordering closes at this time for good, even when nobody is here. Empty: you close it.';
/** Shown when the typed closing time is after the day of the distribution. */
export const closesAfterDayText = (date: string): string => `Is the date right? The distribution is on ${date}, before ordering closes.`;
export const OPENS_MEANS = 'Empty: as soon as it is published.';
export const ORDERING_IS_OVER = 'Ordering is closed.';
export const hoursBeforeText = (hours: number): string => `${counted(hours, 'hour')} before closing`;
export const TIMES_SAVED = 'Times saved';
export const REMIND_HOURS_FIELD = 'Type a whole number of hours from 1 to 168.';
export const REMIND_HOURS = 'remindHours must be a whole number from 1 to 168';

// The texts of the distribution-info tab.
export const NAME = 'Name';
export const DATE = 'Date';
export const DATE_FELL_BACK = 'The date was not complete. It is set to today: please check it, then save again.';
export const NAME_AND_DATE = 'Name and date';
export const UNDO = 'Undo';
export const STATE = 'State';
export const VISIBILITY = 'Visibility';
export const PUBLISHED = 'Published';
export const DRAFT = 'Draft';
export const PUBLISH = 'Publish';
export const UNPUBLISH = 'Unpublish';
export const ORDERING = 'Ordering';
export const ORDERING_OPEN = 'Open';
export const NOT_OPEN_YET = 'Not open yet';
export const ACTUAL_QUANTITIES = 'Actual quantities';
export const ACCEPTING_ACTUALS = 'Accepting actuals';
export const NOT_ACCEPTING = 'Not accepting';
export const ACCEPT_ACTUALS = 'Accept Actuals';
export const STOP_ACCEPTING_ACTUALS = 'Stop Accepting Actuals';
/** The label of the link to the audit trail. */
export const WHO_CHANGED_WHAT = 'Who changed what';

/** The message when a distributor who creates or copies a distribution already has the maximum number of distributions. */
export const tooManyDistributions = (most: number): string =>
  `There are ${numberText(most)} distributions already. Delete drafts that nobody needs.`;

// The texts about the deletion of a draft.
export const NOT_A_DRAFT = 'Customers see this distribution. Unpublish it before you delete it.';
export const HAS_ORDERS = 'This distribution has orders or tills, so it cannot be deleted.';
export const DELETE_DRAFT = 'Delete draft';
export const deleteDraftText = (name: string): string => `Delete ${name}?`;
export const DELETING_DRAFT =
  'Its products, fees and settings are deleted for good. A distribution that somebody ordered from cannot be deleted.';
export const DRAFT_DELETED = 'Draft deleted';

// The texts of the dialog that asks before the distributor closes ordering.
export const closeOrderingText = (name: string): string => `Close ordering for ${name}?`;
export const CLOSING =
  'Ordering cannot be opened again. Customers will no longer place or change an order; you and your agents can still edit the orders.';
export const COUNTING_ORDERS = 'Counting the orders…';
