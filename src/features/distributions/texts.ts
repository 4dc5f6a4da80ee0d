// Every literal text of distributions (spec §2, §8; contract §10).
export const NONE_OF_DISTRIBUTOR = 'No distributions found. Create one to get started.';
export const NONE_OF_AGENT = 'No distributions found.';

export const SUCCESS = 'Success';
export const CREATED = 'Distribution created successfully';
export const UPDATED = 'Distribution updated successfully';

export const CLOSE_ORDERING = 'Close Ordering';
export const ORDERING_CLOSED = 'Ordering Closed';
/** Before closing what was never open to anybody. */
export const NOBODY_ORDERED = 'It is not published yet: nobody has been able to order.';

/** What a state means, for whoever reads the page. */
export const MEANING = {
  published: 'Your customers see this distribution with its products and prices.',
  draft: 'Only you and your agents see this distribution. Publish it when products, prices and fees are ready.',
  open: 'Customers can place orders and change them until you close ordering.',
  notYetOpen: 'Customers can order as soon as the distribution is published.',
  closed: 'Closed for customers, still editable by staff. Ordering cannot be opened again.',
  accepting: 'Weights can be entered: by you and your agents, and by customers for their own order until its first payment.',
  notAccepting: 'Nobody can enter weights. Start when the goods are on the scale.',
} as const;
