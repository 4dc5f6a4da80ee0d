// This file contains the UI texts of rehearsals.

export const REHEARSAL = 'Rehearsal';
/** Returns the name of a rehearsal. Every screen, print and file of the rehearsal shows this name. */
export const rehearsalName = (distribution: string): string => `${REHEARSAL}: ${distribution}`;

export const THERE_IS_ONE = 'There is a rehearsal already. Delete it before you start another one.';
export const NOTHING_TO_ORDER = 'There are no products to rehearse with. Add products first.';
export const REHEARSAL_OF_REHEARSAL = 'This is a rehearsal itself. Start one from the real distribution.';

// The texts of the banner on every screen of a rehearsal.
export const NOT_REAL = 'The families are invented, no e-mail is sent, and nothing here counts.';
export const DELETE_REHEARSAL = 'Delete rehearsal';
export const REHEARSAL_DELETED = 'Rehearsal deleted';

// The texts of the distribution-info tab. A rehearsal shows only WHAT_TO_PRACTICE and PRACTICE; a real distribution shows the others.
export const REHEARSE = 'Rehearse the day';
export const REHEARSE_MEANS =
  'Your helpers practice on a copy of this distribution in the middle of its day: 40 invented families, some of them already weighed or gone. Customers do not see it, no e-mail is sent, and one click deletes it.';
export const START_REHEARSAL = 'Start rehearsal';
export const OPEN_REHEARSAL = 'Open rehearsal';
export const REHEARSAL_STARTED = 'Rehearsal started';
export const existingText = (rehearsal: string): string => `There is one already: ${rehearsal}. Delete it to start another one.`;
export const WHAT_TO_PRACTICE = 'What to practice';
export const PRACTICE = [
  'Open the counter: find a family, type its weights, take the payment, hand over. Switch the network off and go on.',
  'Your agents see the rehearsal on their dashboard and work in it with their own accounts. Those who take payments open a till.',
  'Print pick-up sheets and labels from the menu of the counter. Every page says that it is a rehearsal.',
  'Delete the rehearsal and start another one as often as you like.',
] as const;
