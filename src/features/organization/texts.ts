// What the screens of the organization and its join link say (contract §3).
export const ORGANIZATION_SAVED = { title: 'Success', description: 'Organization saved' };
export const LINK_COPIED = 'Join link copied';
export const LINK_NOT_COPIED = 'The link could not be copied. Select it and copy it by hand.';
export const LINK_RENEWED = 'Join link renewed';
export const LINK_ON = 'Join link turned on';
export const LINK_OFF = 'Join link turned off';
