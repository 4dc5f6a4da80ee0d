// The UI texts of distributors (spec §2, §8).
import { counted, numberText } from '../../shared/counted.ts';

export const NO_DISTRIBUTORS = 'No distributors found. Create one to get started.';
export const DISTRIBUTOR_CREATED = 'Distributor created successfully';
export const DISTRIBUTORS = 'Distributors';
export const DISTRIBUTORS_MEAN = 'Whoever is added is invited by e-mail, then runs distributions.';
export const ADD_DISTRIBUTOR = 'Add Distributor';
export const EMAIL = 'Email';
export const idText = (id: number): string => `ID ${id}`;

interface Volume {
  readonly day: number;
  readonly month: number;
}
export const mailsText = ({ day, month }: Volume): string => `${counted(day, 'e-mail')} in 24 hours, ${numberText(month)} in 30 days`;
export const addedText = ({ day, month }: Volume): string =>
  `${counted(day, 'person', 'people')} added in 24 hours, ${numberText(month)} in 30 days`;
export const IS_DISABLED_BADGE = 'Disabled';
export const IS_LOCKED_BADGE = 'Locked';
export const INVITED_BADGE = 'Invited';
export const moreActionsLabel = (email: string): string => `More actions for ${email}`;
/** What an action has done, for the toast after the action and for the list of distributors. */
export const ACTS_DONE = {
  disable: 'Disabled',
  enable: 'Enabled',
  'sign-out': 'Signed out everywhere',
  unlock: 'Unlocked',
  'second-factor-on': 'Second factor added',
  'second-factor-off': 'Second factor removed',
  'recovery-code': 'Recovery code used',
};
export const lastActText = (act: keyof typeof ACTS_DONE, date: string, by: string): string => `${ACTS_DONE[act]} on ${date} by ${by}.`;

interface ActionTexts {
  /** The label of the action, in the menu and on the button that confirms it. */
  readonly label: string;
  readonly question: (email: string) => string;
  readonly means: string;
  /** The text of the toast after the action. */
  readonly result: (email: string) => string;
}
export const ACTION_TEXTS: Readonly<Record<'unlock' | 'sign-out' | 'second-factor-off' | 'disable' | 'enable', ActionTexts>> = {
  unlock: {
    label: 'Unlock',
    question: (email) => `Unlock ${email}?`,
    means: 'The failed sign-ins are forgotten, and the right password signs in at once.',
    result: (email) => `${email} can sign in again.`,
  },
  'sign-out': {
    label: 'Sign out everywhere',
    question: (email) => `Sign ${email} out everywhere?`,
    means: 'Every session ends, on every phone and computer. The password stays as it is: whoever knows it can sign in again.',
    result: (email) => `${email} has to sign in again on every device.`,
  },
  'second-factor-off': {
    label: 'Remove second factor',
    question: (email) => `Remove the second factor of ${email}?`,
    means:
      'For a distributor who has lost phone and recovery codes. Every session ends, and the password alone signs in. Make sure that the person who asks you is the right one.',
    result: (email) => `${email} signs in with the password alone.`,
  },
  disable: {
    label: 'Disable',
    question: (email) => `Disable ${email}?`,
    means:
      'The distributor and its agents are signed out at once and cannot sign in until you enable the account again. E-mails that wait to be sent for it are dropped. Its customers can still order.',
    result: (email) => `${email} is signed out and cannot sign in.`,
  },
  enable: {
    label: 'Enable',
    question: (email) => `Enable ${email}?`,
    means: 'The distributor and its agents can sign in again with their passwords.',
    result: (email) => `${email} can sign in again.`,
  },
};

/** Shown in the e-mail log instead of a response of the mail server. */
export const DISABLED_BEFORE_SENT = 'The distributor was disabled before this e-mail was sent.';
