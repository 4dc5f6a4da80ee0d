// What a text, an id, an amount and a date may be on the wire; every contract builds on these.
import * as z from 'zod/mini';
import { passwordProblem } from '../domain/account.ts';
import { isBlankText } from '../domain/blank.ts';
import { MAX_CENTS, type Cents } from '../domain/money.ts';
import { calendarDate } from './dates.ts';

const LARGEST_INT = 2_147_483_647;

/** Control characters and halves of characters are nothing a person typed, and the database refuses some of them. */
// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const isPrintable = (text: string): boolean => text.isWellFormed() && !unprintable.test(text);
const printable = (name: string) => z.refine<string>(isPrintable, `${name} contains characters that cannot be stored`);

/** Trimmed and bounded. */
export const text = (name: string, max = 200, missing = `${name} must be a text`) =>
  z.string(missing).check(z.trim(), z.maxLength(max, `${name} is longer than ${max} characters`), printable(name));

export const requiredText = (name: string, max = 200) =>
  text(name, max, `${name} is required`).check(
    z.minLength(1, `${name} is required`),
    z.refine((value) => !isBlankText(value), `${name} is required`),
  );

/** Null and empty are the same, also what only looks empty: null. */
export const nullableText = (name: string, max = 200) =>
  z.pipe(
    z.nullable(text(name, max)),
    z.transform((value): string | null => (isBlankText(value) ? null : value)),
  );

/** Spec §5: a valid address, trimmed and lowercased. */
export const Email = z
  .string('Invalid email address')
  .check(z.trim(), z.toLowerCase(), z.maxLength(254, 'Invalid email address'), z.regex(z.regexes.email, 'Invalid email address'));

/** Spec §5: trimmed, and what it lacks is said in the specification's words. */
export const Password = z.string().check(z.trim(), z.maxLength(200, 'Password is longer than 200 characters'), (checked) => {
  const message = passwordProblem(checked.value);
  if (message !== null) checked.issues.push({ code: 'custom', message, input: checked.value });
});

export const Id = z.int().check(z.positive(), z.lte(LARGEST_INT));

const asCents = (schema: z.ZodMiniType): z.ZodMiniType<Cents, number> => schema as z.ZodMiniType<Cents, number>;

/** Integer cents, as every amount of money travels. */
export const Amount = asCents(z.int());

export const amount = (name: string, negative: string) =>
  asCents(z.int(`${name} must be a whole number of cents`).check(z.gte(0, negative), z.lte(MAX_CENTS, `${name} is too large`)));

/** A calendar date; an ISO date-time is accepted and its date part, as written, is kept (contract §2). */
export const CalendarDate = z.pipe(
  z.string().check(z.refine((value) => calendarDate(value) !== null, 'Date must be a calendar date such as 2027-04-15')),
  z.transform((value) => calendarDate(value) ?? value),
);
