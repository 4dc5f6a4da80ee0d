// The UI texts of the audit trail.
import { dollars, negated, type Cents } from '../../domain/money.ts';
import { counted } from '../../shared/counted.ts';
import { longDate, paymentTime } from '../../shared/dates.ts';
import { CONTACT_LABELS } from '../contact/texts.ts';
import { METHOD_LABELS } from '../payments/texts.ts';

export const AUDIT_HINT =
  'Every change of orders, weights and payments, of prices and fees that orders depend on, of this distribution, of contacts that staff corrected, and of how people sign in.';
export const NO_CHANGES_YET = 'No change is recorded yet.';
export const NO_CHANGES_FOUND = 'No change matches what you look for.';
export const CLEAR_FILTERS = 'Clear filters';
export const SHOW_OLDER = 'Show older changes';
export const ALL_SHOWN = 'No older change is recorded.';
export const DOWNLOAD = 'Download CSV';
export const TABLE_LABEL = 'Changes';
export const TABLE_NOUN = 'changes';

export const FILTER_KIND = 'Kind of change';
export const FILTER_PERSON = 'Who or whose';
export const FILTER_TEXT = 'Product, fee or payment';
export const ALL_KINDS = 'All kinds';

export const HEADERS = { at: 'When', by: 'Who', kind: 'Kind', item: 'What', whose: 'Whose', change: 'Change' } as const;
export const KIND_LABELS = {
  quantity: 'Order',
  order: 'Order',
  weight: 'Weight',
  price: 'Price',
  fee: 'Fee',
  payment: 'Payment',
  distribution: 'Distribution',
  person: 'Person',
  contact: 'Contact',
} as const;

export const fromToText = (from: string, to: string): string => `${from} → ${to}`;
/** The text of an empty cell, for a change that affects no product or person. */
export const NONE = '—';
/** The text for a missing old or new value of a weight or a contact field. */
export const NOTHING = 'nothing';
export const weightText = (unit: number, from: string, to: string): string => `Unit ${unit}: ${fromToText(from, to)}`;

interface Paid {
  readonly amount: Cents;
  readonly feeAmount: Cents;
  readonly paymentMethod: keyof typeof METHOD_LABELS;
  readonly description: string | null;
}
export function paidText({ amount, feeAmount, paymentMethod, description }: Paid): string {
  const absolute = (sum: Cents): string => dollars(sum < 0 ? negated(sum) : sum);
  const words = [
    `${METHOD_LABELS[paymentMethod]}: ${absolute(amount)} ${amount < 0 ? 'given back' : 'paid'}`,
    feeAmount !== 0 && `card fee ${absolute(feeAmount)}`,
    description,
  ];
  return words.filter(Boolean).join(' · ');
}

/** The name shown instead of a user when ordering was closed automatically at its closing time. */
export const THE_CLOCK = 'the clock';

interface Terms {
  readonly name?: string | undefined;
  readonly date?: string | undefined;
  readonly published?: boolean | undefined;
  readonly acceptActuals?: boolean | undefined;
  readonly orderingOpen?: boolean | undefined;
  readonly groupOrder?: readonly string[] | null | undefined;
  readonly opensAt?: string | null | undefined;
  readonly closesAt?: string | null | undefined;
  readonly remindHours?: number | null | undefined;
}
const FLAGS = {
  published: { on: 'Published', off: 'Unpublished' },
  acceptActuals: { on: 'Actual quantities accepted', off: 'Actual quantities no longer accepted' },
} as const;
const flagText = (flag: keyof typeof FLAGS, value: boolean | undefined) => value !== undefined && FLAGS[flag][value ? 'on' : 'off'];
const groupOrderText = (groups: readonly string[] | null): string =>
  groups === null ? 'Groups by alphabet' : `Order of groups: ${groups.join(', ')}`;

const TIME_LABELS = { opensAt: 'Ordering opens', closesAt: 'Ordering closes', remindHours: 'Reminder' } as const;
const clockTerm = (terms: Terms, term: keyof typeof TIME_LABELS): string => {
  const value = terms[term];
  if (value === null || value === undefined) return 'not set';
  return typeof value === 'number' ? `${counted(value, 'hour')} before` : paymentTime(value);
};
const clockText = (before: Terms, after: Terms, term: keyof typeof TIME_LABELS) =>
  after[term] !== undefined && `${TIME_LABELS[term]}: ${fromToText(clockTerm(before, term), clockTerm(after, term))}`;

/** Returns a text such as 'Published · Name: Sukkot → Sukkot 2027'. */
export function distributionText(before: Terms | null, after: Terms): string {
  if (before === null) return 'Created';
  const changes = [
    flagText('published', after.published),
    // Only the closing of ordering needs a text, because ordering that is closed never opens again (spec §4).
    after.orderingOpen === false && 'Ordering closed',
    flagText('acceptActuals', after.acceptActuals),
    after.name !== undefined && `Name: ${fromToText(before.name ?? '', after.name)}`,
    after.date !== undefined && before.date !== undefined && `Date: ${fromToText(longDate(before.date), longDate(after.date))}`,
    after.groupOrder !== undefined && groupOrderText(after.groupOrder),
    clockText(before, after, 'opensAt'),
    clockText(before, after, 'closesAt'),
    clockText(before, after, 'remindHours'),
  ];
  return changes.filter(Boolean).join(' · ');
}

interface OrderTerms {
  readonly pickedUp?: boolean | undefined;
  readonly note?: string | null | undefined;
  readonly slot?: string | null | undefined;
  readonly beyondLimits?: readonly string[] | undefined;
}
export function orderText(before: OrderTerms, after: OrderTerms): string {
  const changes = [
    after.pickedUp !== undefined && (after.pickedUp ? 'Picked up' : 'Marked as not picked up'),
    after.note !== undefined && `Note: ${fromToText(before.note || NOTHING, after.note || NOTHING)}`,
    after.slot !== undefined && `Pick-up time: ${fromToText(before.slot || NOTHING, after.slot || NOTHING)}`,
    after.beyondLimits !== undefined && `Beyond the limit: ${after.beyondLimits.join(', ')}`,
  ];
  return changes.filter(Boolean).join(' · ');
}

type ContactTerms = Readonly<Partial<Record<keyof typeof CONTACT_LABELS, string | undefined>>>;
/** Returns a text such as 'Phone Number: 555-0100 → 555-0199'. */
export const contactText = (before: ContactTerms, after: ContactTerms): string =>
  (Object.entries(CONTACT_LABELS) as [keyof ContactTerms, string][])
    .filter(([name]) => after[name] !== undefined)
    .map(([name, label]) => `${label}: ${fromToText(before[name] || NOTHING, after[name] || NOTHING)}`)
    .join(' · ');

const ACTS = {
  invite: 'Invited',
  unlock: 'Unlocked',
  disable: 'Disabled',
  enable: 'Enabled',
  'sign-out': 'Signed out everywhere',
  'allow-payments': 'Allowed to take payments',
  'forbid-payments': 'No longer allowed to take payments',
  forget: 'Forgotten',
  'second-factor-on': 'Second factor added',
  'second-factor-off': 'Second factor removed',
  'recovery-code': 'Signed in with a recovery code',
  'require-second-factor': 'Second factor required',
  'release-second-factor': 'Second factor no longer required',
} as const;
interface PersonAct {
  readonly act: keyof typeof ACTS | 'mend' | 'remove' | 'undo-upload';
  readonly previousEmail: string | null;
  readonly removed?: number | undefined;
}
export function actText({ act, previousEmail, removed = 0 }: PersonAct): string {
  if (act === 'remove') return `${counted(removed, 'unused customer')} removed`;
  if (act === 'undo-upload') return `Upload undone, ${counted(removed, 'customer')} removed`;
  if (act !== 'mend') return ACTS[act];
  return previousEmail === null ? 'E-mail address added' : `Address corrected, was ${previousEmail}`;
}
