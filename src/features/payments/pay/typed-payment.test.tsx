import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { cents } from '../../../domain/money.ts';
import { feePercentageOf, paymentIn, totalsIn, typedFor, type TypedPayment } from './typed-payment.ts';

const BALANCE = cents(41_285);
const CARD: TypedPayment = { paymentMethod: 'Credit Card', amount: '412.85', feePercentage: '2', description: 'Visa' };
const CASH: TypedPayment = { ...typedFor(BALANCE) };

/** Returns the request body, or the error message of each field. */
function read(typed: TypedPayment, balance = BALANCE): unknown {
  const { data, error } = z.safeParse(paymentIn(balance), typed);
  return data ?? Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
}

test('the proposed payment is in cash with the amount of the balance, and has no amount when nothing is due (spec §2)', () => {
  expect(typedFor(BALANCE)).toEqual({ paymentMethod: 'Cash', amount: '412.85', feePercentage: '0', description: '' });
  expect([typedFor(cents(0)).amount, typedFor(cents(-310)).amount]).toEqual(['0.00', '0.00']);
});

test('a fee percentage is proposed for the method Credit Card only (spec §4)', () => {
  expect((['Cash', 'Credit Card', 'Check', 'Other'] as const).map(feePercentageOf)).toEqual(['0', '2', '0', '0']);
});

test.each([
  [CASH, { fee: 0, total: 41_285 }],
  [CARD, { fee: 826, total: 42_111 }],
  [
    { ...CARD, amount: '10.25', feePercentage: '2.5' },
    { fee: 26, total: 1051 },
  ],
  [
    { ...CARD, paymentMethod: 'Check' as const, feePercentage: '7' },
    { fee: 0, total: 41_285 },
  ],
  [{ ...CARD, amount: '' }, null],
  [{ ...CARD, feePercentage: 'two' }, null],
])('for the typed payment %j, the fee and total are %j (spec §2)', (typed, totals) => expect(totalsIn(typed)).toEqual(totals));

test.each([
  [CASH, { paymentMethod: 'Cash', amount: 41_285, feeAmount: 0, description: null }],
  [
    { ...CASH, amount: '.5', description: 'left from before' },
    { paymentMethod: 'Cash', amount: 50, feeAmount: 0, description: null },
  ],
  [CARD, { paymentMethod: 'Credit Card', amount: 41_285, feeAmount: 826, description: 'Visa' }],
  [
    { ...CARD, paymentMethod: 'Check' as const, description: ' No. 12 ' },
    { paymentMethod: 'Check', amount: 41_285, feeAmount: 0, description: 'No. 12' },
  ],
])('the typed payment %j is sent as %j (spec §9)', (typed, body) => expect(read(typed)).toEqual(body));

const TOO_SMALL = 'Payment amount must be at least $0.01';
test.each([
  [{ ...CASH, amount: '' }, { amount: 'Type an amount in dollars, such as 5.00' }],
  [{ ...CASH, amount: '1.005' }, { amount: 'Type an amount in dollars, such as 5.00' }],
  [{ ...CASH, amount: '1e2' }, { amount: 'Type an amount in dollars, such as 5.00' }],
  [{ ...CASH, amount: '0' }, { amount: TOO_SMALL }],
  [{ ...CASH, amount: '-5' }, { amount: TOO_SMALL }],
  [{ ...CASH, amount: '412.86' }, { amount: 'The payment is above the balance: $412.85.' }],
  [{ ...CARD, feePercentage: '' }, { feePercentage: 'Type a percentage, such as 2 or 2.5' }],
  [{ ...CARD, feePercentage: '-0.5' }, { feePercentage: 'Fee percentage must be non-negative' }],
  [{ ...CARD, feePercentage: '101' }, { feePercentage: 'The fee is at most as much as the payment.' }],
  [{ ...CARD, description: ' ' }, { description: 'A description is required unless the method is Cash.' }],
  [
    { ...CARD, amount: '0', feePercentage: '-1', description: '' },
    {
      amount: TOO_SMALL,
      feePercentage: 'Fee percentage must be non-negative',
      description: 'A description is required unless the method is Cash.',
    },
  ],
])('the typed payment %j is refused with the messages per field %j (spec §5)', (typed, problems) => expect(read(typed)).toEqual(problems));
