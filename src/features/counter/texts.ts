// The UI texts of the counter (contract §14).
import type { PaymentMethod } from '../../domain/payment.ts';
import { counted } from '../../shared/counted.ts';
import { isolated } from '../../shared/isolated.ts';

export const NO_MARK = 'The mark must be one of an earlier reply.';

/** Stored as the description of the reversal when Undo reverses a payment. */
export const UNDONE_AT_COUNTER = 'Undone at the counter';
/**
 * Shown for a write whose response was lost and which is not sent again. The reason is that a day has passed, or that the user has no
 * permission any more.
 */
export const OUTCOME_UNKNOWN = 'The answer was lost, so it may be recorded already. Look at the order before you send it again.';
export const DISCARD_UNKNOWN = 'Look at the order first: it may be recorded already. Discarding only removes it from this list.';

/** Shown when Undo cannot reverse a payment because the device does not know the payment's id. */
export const PAYMENT_UNKNOWN = 'This device does not know the payment any more. Look at the order, and reverse the payment there.';
/** Shown after Undo by an agent, because agents cannot reverse payments. */
export const PAYMENT_STAYS = 'The payment stays until the distributor reverses it.';
/** Shown after Undo of a weight that the family had typed and staff have confirmed. */
export const CONFIRMATION_STAYS = {
  title: 'The weight stays confirmed.',
  description: 'The family typed this weight. To change it, type another one.',
};
export const REMOVAL_STAYS = {
  title: 'The weight stays removed.',
  description: 'The family typed this weight. Weigh the piece and type its weight.',
};
/** Shown after Undo of a step whose payment was refused. */
export const REFUSED_PAYMENT_STAYS = {
  title: 'Nothing was undone, because the payment was refused.',
  description: 'Another station may have served this family. Decide about the payment in the list of refused entries.',
};
export const HAND_OVER_UNDONE = 'The hand-over was undone.';
export const DECIDED_MEANWHILE = 'This entry is not refused any more. Nothing was changed.';

export const COUNTER = 'Counter';
export const TILLS_AND_MORE = 'Tills and more';
export const BACK_TO_COUNTER = 'Back to the counter';
export const FIND_FAMILY = 'Find a family';
export const FIND_BY = 'Name, phone or number';
export const NO_FAMILY = 'No family with an order in this distribution matches.';
export const FAMILIES = 'Families';
/** Shown below the list when more families match the search than the list contains. */
export const moreFamiliesText = (more: number): string => `And ${more} more. Type more of the name to find them.`;
export const countsText = ({ pickedUp, all }: { pickedUp: number; all: number }): string => `${pickedUp} of ${all} picked up`;
export const START_HERE =
  'Type a part of the name, the phone, the e-mail or the order number, or scan the printed code. Enter opens the first.';
export const NEXT_FAMILY = 'Next family';
export const orderText = (orderId: number): string => `Order ${orderId}`;
export const noOrderText = (orderId: number): string => `Order ${orderId} is not in this distribution, or has no units.`;
export const PICKED_UP = 'Picked up';
export const CANCELLED = 'Cancelled';
export const cancelledText = (orderId: number): string => `Order ${orderId} was cancelled.`;
export const NOTHING_ORDERED = 'This order was cancelled.';
export const SAME_NAME = 'Another family has the same name. Check the phone, the e-mail or the order number.';
export const pickedUpText = (time: string): string => `Picked up ${time}`;
export const NOT_PICKED_UP = 'Mark as not picked up';
export const UNITS_TO_WEIGH = 'Units to weigh';
export const ALSO_ORDERED = 'Also in the order';
export const timesText = (quantity: number, product: string): string => `${quantity} × ${isolated(product)}`;
export const NOTHING_TO_WEIGH = 'Nothing in this order is weighed.';

// The texts of scanners and of the camera.
export const LOST_WEIGHT = 'Choose a weight field of this order, then scan the label again.';
/** Shown when a label or the scale would replace a weight that is not recorded yet. */
export const UNSETTLED = 'The weight in this field is not recorded yet. Read the message below the field, then try again.';
export const UNKNOWN_CODE = 'This is neither the code of an order nor a weight label. To find a family, choose the search field.';
export const TYPED_ELSEWHERE = 'Nothing is recorded. What you typed was not in the search field; it is in the search field now.';
/** Shown when the next family's name, for example, was typed behind a weight, which is recorded or kept with its question. */
export const TYPED_BEHIND_WEIGHT = {
  title: 'What you typed is in the search field',
  description: 'It was typed behind a weight. The weight stays with the open family, and is not recorded yet if its field asks about it.',
};
/** Shown when the text was typed at a button of a dialog. */
export const TYPED_IN_A_DIALOG = 'A button had the focus, so nothing is recorded. Answer or close the dialog first.';
/** Shown when a number was typed at a button. */
export const IS_THIS_AN_AMOUNT =
  'A button had the focus, so nothing is recorded. Type an amount into "Cash given" or "Amount", and a weight into its field.';
export const IS_THIS_A_WEIGHT =
  'This looks like a weight or an amount. To find a family, type a name, a phone number, or # and the order number, as in #12.';
/** Shown when an order number or the end of a phone number was typed into the search while a family is open. */
export const openByNumberText = (family: string): string => `This looks like a weight or an amount. To open ${family}, press Enter again.`;
export const SCAN_WITH_CAMERA = 'Scan with camera';
export const SCAN_LEAD = 'Hold the code of the printed order or label in front of the camera.';
export const CAMERA_PICTURE = 'Picture of the camera';
export const CAMERA_STARTS = 'The camera starts. The browser may ask whether this page may use it.';
export const NO_CODE_YET = 'The family opens as soon as its code is read.';
export const NOT_AN_ORDER_CODE = 'This code is not the code of an order.';
export const NO_CAMERA = 'The camera cannot be used';
export const CAMERA_FAULTS = {
  refused: "The browser does not let this page use the camera. Allow it in the browser's settings for this page, or type the order number.",
  absent: 'This device has no camera. Type the order number, or connect a camera.',
  busy: 'Another program uses the camera. Close it, or type the order number.',
  failed: 'The camera has stopped. Try again, or type the order number.',
} as const;
/** Shown when a question or another dialog is open. */
export const DIALOG_BEFORE_CODE = 'Answer or close the dialog first, then scan again.';

// The texts about the order's amounts and its payment.
export const MONEY = 'Money';
export const SUBTOTAL = 'Subtotal';
export const TOTAL = 'Total';
export const paidText = (method: string): string => `Paid, ${method}`;
export const takenBackText = (method: string): string => `Taken back, ${method}`;
export const BALANCE = 'Balance';
export const ESTIMATED = 'estimated';
export const SETTLED = 'Paid in full';
/** Shown below a negative balance. */
export const REFUND_STEPS = {
  distributor: 'Pay this amount back, then reverse a payment of this family on the Payments tab and record here what stays paid.',
  agent: 'The distributor can pay this amount back, reverse a payment of this family and record what stays paid.',
} as const;
export const CASH_GIVEN = 'Cash given';
export const TO_SEE_THE_CHANGE = 'to see the change';
export const changeText = (amount: string): string => `Change ${amount}`;
/** Shown after a payment in cash, until the next payment is recorded or the next family is opened. */
export const CHANGE_TO_GIVE_BACK = 'Change to give back';
export const missingText = (amount: string): string => `${amount} missing`;
/** Shown at the field for the cash, beside what is missing, when the user tries to record a payment that the cash does not cover. */
export const LESS_THAN_DUE = 'Take the rest, or lower the amount.';
/** Shown while the family is open and another station changes its payments. */
export const recordedElsewhereText = (amount: string): string => `Another station has recorded ${amount} for this family.`;
export const takenBackElsewhereText = (amount: string): string => `Another station has taken back ${amount} that this family had paid.`;
export const MAY_NOT_PAY = 'The distributor takes the payments.';
export const PAY_AFTER_WEIGHING = 'The payment comes when everything is weighed.';
export const CARD_NEEDS_NETWORK = 'Cards need a network.';

const BY_METHOD: Record<PaymentMethod, string> = { Cash: 'in cash', 'Credit Card': 'by card', Check: 'by check', Other: 'another way' };
export const payAndHandOverText = (amount: string, method: PaymentMethod): string => `Pay ${amount} ${BY_METHOD[method]} and hand over`;
export const HAND_OVER = 'Hand over';
export const PAY_ONLY = 'Pay only';
export const WITHOUT_PAYMENT = 'Hand over without payment';
/** Shown when the main button has ignored Enter or the space key because it had just got the focus. */
export const PRESS_AGAIN = 'Nothing is recorded yet. Press Enter again.';
/** Shown when a payment is ignored because *Pay only* has recorded another one just before. */
export const REST_NOT_RECORDED = {
  title: 'The rest is not recorded',
  description: 'A payment was recorded a moment ago. Look at the amount, then press again.',
};
/** Identifies the messages about presses that recorded nothing. They stay when the next family is opened. */
export const PRESSES = `${COUNTER} presses`;
/** Shown when a click is ignored because something else was, or may have been, at its place just before. */
export const JUST_MOVED = {
  title: 'This click was ignored',
  description: 'The screen may just have changed below the pointer. Look at it, then press again.',
};
interface OpenAtHandOver {
  readonly unweighed: number;
  readonly due: string | null;
  /** The payment that the answer records too; null if there is none. */
  readonly paid: { readonly amount: string; readonly method: PaymentMethod } | null;
}
/** Returns the question before a hand-over with missing weights or due money. Returns null if neither is the case. */
export function handOverQuestion({ unweighed, due, paid }: OpenAtHandOver): string | null {
  const open = [unweighed === 0 ? null : `${counted(unweighed, 'unit')} not weighed`, due === null ? null : `${due} not paid`];
  const named = open.filter((part) => part !== null).join(' and ');
  if (named === '') return null;
  return paid === null ? `Hand over with ${named}?` : `Record ${paid.amount} ${BY_METHOD[paid.method]} and hand over with ${named}?`;
}
/** Shown when the user leaves a family whose payment or hand-over was refused. */
export const notRecordedText = (family: string): string => `Not recorded for ${isolated(family)}`;
export const NOT_RECORDED_BECAUSE =
  'A field had an error or a question, so the last payment or hand-over was refused. Open the family again to record it.';
export const OPEN_STAYS = 'What is open stays in the order and can be entered later.';

// The texts of the Undo bar, which names the last step.
export const UNDO = 'Undo';
/** Shown after Undo, above the name of the step. */
export const UNDONE = 'Undone';
export const stepOf = (family: string, what: string): string => `${isolated(family)}: ${what}`;
/** The label of the Undo button when the step's payment cannot be undone and only the hand-over is undone. */
export const UNDO_HAND_OVER = 'Undo hand-over';
export const secondsText = (seconds: number): string => `${seconds} s`;
export const HANDED_OVER_STEP = 'handed over';
interface PaidStep {
  readonly amount: string;
  readonly method: PaymentMethod;
  /** The cash to give back; null if there is none. */
  readonly change: string | null;
}
export const paidStep = ({ amount, method, change }: PaidStep): string =>
  `${amount} paid ${BY_METHOD[method]}${change === null ? '' : `, change ${change}`}`;
export const paidAndHandedOverStep = (paid: PaidStep): string => `${paidStep(paid)}, ${HANDED_OVER_STEP}`;
export const TAKEN_BACK_STEP = 'not picked up';
export const removedStep = (unit: string): string => `${unit}: not weighed`;

// The texts about the queue of entries that the server has not accepted.
export const CONNECTIONS = { online: 'Online', offline: 'No network', busy: 'Server busy', failing: 'Server problem' } as const;
/** Shown over the header of the page. The texts are short, because the header of a phone is narrow. */
export const CONNECTION_NOTICES = {
  online: null,
  offline: 'No network. The counter goes on: entries wait here and are sent later.',
  busy: 'The server is busy. The counter goes on: entries wait here and are sent soon.',
  failing: 'The server has a problem. The counter goes on: entries wait here and are sent later.',
} as const;
export const waitingText = (count: number): string => `${count} waiting`;
const itOrThem = (count: number): string => (count === 1 ? 'it' : 'them');
export const refusedText = (count: number): string => `${count} refused`;
/** These two texts tell whether the counter can be opened without a network. */
export const READY_OFFLINE = 'Ready without network';
export const NOT_READY_OFFLINE = 'Without network only while this page stays open';
export const ENTRIES = 'Entries of this device';
export const QUEUE = 'Waiting to be sent';
export const QUEUE_LEAD = 'Entries are sent in the order in which they were made. Nothing is sent twice, and nothing is dropped.';
export const NOTHING_WAITS = 'Everything is with the server.';
export const NOTHING_ELSE_WAITS = 'Everything else is with the server.';
/** Shown when the entries that waited for the network have been sent. */
export const sentText = (count: number): string => `${counted(count, 'entry', 'entries')} sent`;
export const REFUSED = 'Refused';
export const REFUSED_LEAD = 'The server did not take these. Each stays here until you decide.';
/** Shown when the server refused a payment although the customer has handed over the money. */
export const moneyInHandText = (amount: string, method: string): string =>
  `You hold ${amount} (${method}) that no order has. Give it back and discard the entry, or open the family and settle what is due.`;
export const refusedEntriesText = (count: number): string => `${counted(count, 'entry was', 'entries were')} refused`;
/** Shown on all other screens of staff while the counter has entries that the server has not accepted. */
export const entriesText = ({ waiting, refused }: { waiting: number; refused: number }): string =>
  [
    waiting > 0 && counted(waiting, 'entry of the counter waits', 'entries of the counter wait'),
    refused > 0 && (waiting > 0 ? counted(refused, 'was refused', 'were refused') : refusedEntriesText(refused)),
  ]
    .filter(Boolean)
    .join(', ');
/** Shown when a member of staff uses a device on which entries of another member of staff wait. */
export const othersEntriesText = (count: number): string =>
  `${counted(count, 'entry', 'entries')} of another member of staff ${count === 1 ? 'waits' : 'wait'} on this device. ${count === 1 ? 'It is' : 'They are'} sent when that person signs in here.`;
/** Shown on the screens beside the counter while the device has no network and no entry waits. */
export const COUNTER_WORKS_OFFLINE = 'The counter goes on without a network';
export const OPEN_COUNTER = 'Open the counter';
export const showRefusedText = (count: number): string => `Look at ${itOrThem(count)}`;
export const SEND_AGAIN = 'Try again';
export const OPEN_FAMILY = 'Open the family';
export const DISCARD_WRITE = 'Discard…';
export const DISCARD_QUESTION = 'Discard this entry?';
export const DISCARD_CONFIRM = 'Discard';
export const discardText = (what: string): string => `${what} is not recorded then.`;
export const giveBackText = (amount: string): string => `Give ${amount} back to the family first: the payment is not recorded then.`;
export const WAITS = 'Waits to be sent';
export const unitText = (product: string, index: number, of: number): string => `${isolated(product)} ${index + 1}/${of}`;
/** Names a unit whose product this device does not know any more. */
export const unknownUnitText = (index: number): string => `Unit ${index + 1}`;
export const weightStep = (unit: string, weight: string): string => `${unit}: ${weight}`;
export const paymentStep = (amount: string, method: string): string => `${amount}, ${method}`;
export const reversalStep = (amount: string): string => `${amount} taken back`;

// The texts of a counter whose distribution does not accept actual quantities.
export const NOT_ACCEPTING_LEAD = 'The counter opens when the distributor accepts them. The families are no longer on this device.';
export const BACK = 'Back to Distribution';

// The card on the distribution-info tab that links to the pages of the pick-up day.
export const ON_THE_DAY = 'On the day';
export const MEANS = {
  tills: 'The money that each person took, and what they counted.',
  controlRoom: 'The progress of the day, for a large screen.',
  pickUpPrint: 'On paper, with a code that the counter scans.',
} as const;

// The texts about signing out.
export const signOutQuestion = (count: number): string => `Sign out and lose ${counted(count, 'entry', 'entries')}?`;
export const signOutAnyway = (count: number): string => `Sign out and lose ${itOrThem(count)}`;
export const unsentText = (count: number): string =>
  `${counted(count, 'entry of the counter is', 'entries of the counter are')} not with the server yet.`;
/** The money in entries that the server has not received. Either amount is null if there is none. */
export const unsentMoneyText = ({ paid, takenBack }: { paid: string | null; takenBack: string | null }): string =>
  `Money in the entries: ${[paid === null ? null : `${paid} paid`, takenBack === null ? null : `${takenBack} taken back`].filter(Boolean).join(', ')}.`;
export const losesText = (count: number): string =>
  `Signing out removes ${itOrThem(count)} from this device for good. To keep ${itOrThem(count)}, stay signed in until the server has ${itOrThem(count)}.`;
export const SIGN_OUT_OFFLINE = {
  title: 'Sign out without a network?',
  confirm: 'Sign out',
  description: 'Signing out removes the families from this device. The counter opens here again only with a network.',
};
/** Shown when the user has confirmed the sign-out from a counter's device and the server could not be reached. */
export const SIGNED_OUT_HERE = {
  title: 'Signed out on this device',
  description:
    'The server could not be reached. The data of the counter is removed from this device, and your session ends as soon as this device is online again.',
};

/** Shown when the browser refuses to store data, as some browsers do in private windows. */
export const NOT_KEPT = {
  title: 'Not recorded',
  description: 'This browser could not keep the entry. Write it down, and use another browser.',
};
