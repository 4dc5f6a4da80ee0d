import { expect, test } from 'vitest';
import { cents } from '../money.ts';
import { PAYMENT_METHODS } from '../payment.ts';
import { sumOfTills, differenceOf, expectedIn, receivedBy, totalOf, withoutFloat } from './till.ts';

const payment = (paymentMethod: (typeof PAYMENT_METHODS)[number], amount: number, feeAmount = 0) => ({
  paymentMethod,
  amount: cents(amount),
  feeAmount: cents(feeAmount),
});

test('the expected amounts of a till are its float (the starting cash) plus the payments of each method with card fees; a reversal subtracts amount and fee (contract §15)', () => {
  const payments = [
    payment('Cash', 1250),
    payment('Cash', -250),
    payment('Credit Card', 1000, 20),
    payment('Credit Card', 500, 10),
    payment('Credit Card', -500, -10),
    payment('Check', 7),
    payment('Other', 9),
  ];
  expect(expectedIn(cents(10_000), receivedBy(payments))).toEqual({ cash: 11_000, check: 7, card: 1020, other: 9 });
  expect(expectedIn(cents(0), receivedBy([]))).toEqual({ cash: 0, check: 0, card: 0, other: 0 });
});

test('the difference of a till is negative when money is missing and positive when there is too much, for each payment method (contract §15)', () => {
  const expected = { cash: cents(11_000), check: cents(0), card: cents(1020), other: cents(-5) };
  const counted = { cash: cents(10_999), check: cents(300), card: cents(1020), other: cents(0) };
  expect(differenceOf(counted, expected)).toEqual({ cash: -1, check: 300, card: 0, other: 5 });
});

test('the amounts of all tills and of the payments without a till add up to all payments, to the cent (contract §15)', () => {
  let state = 11;
  const random = (most: number) => (state = (state * 48_271) % 2_147_483_647) % most;
  for (let round = 0; round < 200; round++) {
    const payments = Array.from({ length: random(60) }, () => {
      const method = PAYMENT_METHODS[random(4)] ?? 'Cash';
      const sign = random(5) === 0 ? -1 : 1;
      return { ...payment(method, sign * (1 + random(100_000)), method === 'Credit Card' ? sign * random(900) : 0), till: random(4) };
    });
    const tills = [1, 2, 3].map((till) => {
      const float = cents(random(50_000));
      return withoutFloat(expectedIn(float, receivedBy(payments.filter((one) => one.till === till))), float);
    });
    const none = receivedBy(payments.filter((one) => one.till === 0));
    const all = sumOfTills([...tills, none]);
    expect(all).toEqual(receivedBy(payments));
    expect(totalOf(all)).toBe(payments.reduce((sofar, { amount, feeAmount }) => sofar + amount + feeAmount, 0));
  }
});
