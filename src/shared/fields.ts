// What a text, an id, an amount and a date may be on the wire; every contract builds on these.
import * as z from 'zod/mini';
import { passwordProblem } from '../domain/accounts/account.ts';
import { isBlankText } from '../domain/blank.ts';
import { MAX_CENTS, type Cents } from '../domain/money.ts';
import { calendarDate } from './dates.ts';
import { PLACEHOLDER_DOMAIN } from './mail/no-email.ts';
import { INVALID_EMAIL, isRequired, NOT_A_DATE, notCents, notText, PASSWORD_TOO_LONG, tooLarge, tooLong, unprintable } from './texts.ts';

export const LARGEST_INT = 2_147_483_647;
/** Characters of a text that has no other bound, of an e-mail address and of a password. */
export const LONGEST_TEXT = 200;
export const LONGEST_EMAIL = 254;
export const LONGEST_PASSWORD = 200;

/** Control characters and halves of characters are nothing a person typed, and the database refuses some of them. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const isPrintable = (text: string): boolean => text.isWellFormed() && !UNPRINTABLE.test(text);
const printable = (name: string) => z.refine<string>(isPrintable, unprintable(name));

/** Trimmed and bounded. */
export const text = (name: string, max = LONGEST_TEXT, missing = notText(name)) =>
  z.string(missing).check(z.trim(), z.maxLength(max, tooLong(name, max)), printable(name));

export const requiredText = (name: string, max = LONGEST_TEXT) =>
  text(name, max, isRequired(name)).check(
    z.minLength(1, isRequired(name)),
    z.refine((value) => !isBlankText(value), isRequired(name)),
  );

/** Null and empty are the same, also what only looks empty: null. */
export const nullableText = (name: string, max = LONGEST_TEXT) =>
  z.pipe(
    z.nullable(text(name, max)),
    z.transform((value): string | null => (isBlankText(value) ? null : value)),
  );

/** Spec §5: a valid address, trimmed and lowercased. */
export const Email = z.string(INVALID_EMAIL).check(
  z.trim(),
  z.toLowerCase(),
  z.maxLength(LONGEST_EMAIL, INVALID_EMAIL),
  z.regex(z.regexes.email, INVALID_EMAIL),
  z.refine((email) => !email.endsWith(PLACEHOLDER_DOMAIN), INVALID_EMAIL),
);

/** Spec §5: trimmed, and what it lacks is said in the specification's words. */
export const Password = z.string().check(z.trim(), z.maxLength(LONGEST_PASSWORD, PASSWORD_TOO_LONG), (checked) => {
  const message = passwordProblem(checked.value);
  if (message !== null) checked.issues.push({ code: 'custom', message, input: checked.value });
});

export const Id = z.int().check(z.positive(), z.lte(LARGEST_INT));

const asCents = (schema: z.ZodMiniType): z.ZodMiniType<Cents, number> => schema as z.ZodMiniType<Cents, number>;

/** Integer cents, as every amount of money travels. */
export const Amount = asCents(z.int());

export const amount = (name: string, negative: string) =>
  asCents(z.int(notCents(name)).check(z.gte(0, negative), z.lte(MAX_CENTS, tooLarge(name))));

/** A calendar date; an ISO date-time is accepted and its date part, as written, is kept (contract §2). */
export const CalendarDate = z.pipe(
  z.string().check(z.refine((value) => calendarDate(value) !== null, NOT_A_DATE)),
  z.transform((value) => calendarDate(value) ?? value),
);
