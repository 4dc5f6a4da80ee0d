// Defines how strings, ids, amounts and dates are sent in requests and replies. Every contract uses these schemas.
import * as z from 'zod/mini';
import { passwordProblem } from '../domain/accounts/account.ts';
import { isBlankText } from '../domain/blank.ts';
import { MAX_CENTS, type Cents } from '../domain/money.ts';
import { calendarDate } from './dates.ts';
import { PLACEHOLDER_DOMAIN } from './mail/no-email.ts';
import {
  INVALID_EMAIL,
  isRequired,
  NOT_A_DATE,
  notAnInstant,
  notCents,
  notText,
  PASSWORD_TOO_LONG,
  tooLarge,
  tooLong,
  unprintable,
} from './texts.ts';

export const MAX_INT = 2_147_483_647;
/** The maximum number of characters of an ordinary string. The next two constants apply to e-mail addresses and passwords. */
export const MAX_TEXT_LENGTH = 200;
export const MAX_EMAIL_LENGTH = 254;
export const MAX_PASSWORD_LENGTH = 200;

/** Matches control characters. Nobody types them, and PostgreSQL refuses some of them. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const isPrintable = (text: string): boolean => text.isWellFormed() && !UNPRINTABLE.test(text);
const printable = (name: string) => z.refine<string>(isPrintable, unprintable(name));

/** A required string with a maximum length. The string is trimmed. */
export const text = (name: string, max = MAX_TEXT_LENGTH, missing = notText(name)) =>
  z.string(missing).check(z.trim(), z.maxLength(max, tooLong(name, max)), printable(name));

export const requiredText = (name: string, max = MAX_TEXT_LENGTH) =>
  text(name, max, isRequired(name)).check(
    z.minLength(1, isRequired(name)),
    z.refine((value) => !isBlankText(value), isRequired(name)),
  );

/** An optional string. Empty strings and strings without visible characters become null. */
export const nullableText = (name: string, max = MAX_TEXT_LENGTH) =>
  z.pipe(
    z.nullable(text(name, max)),
    z.transform((value): string | null => (isBlankText(value) ? null : value)),
  );

/** A valid e-mail address (spec §5). It is trimmed and converted to lower case. */
export const Email = z.string(INVALID_EMAIL).check(
  z.trim(),
  z.toLowerCase(),
  z.maxLength(MAX_EMAIL_LENGTH, INVALID_EMAIL),
  z.regex(z.regexes.email, INVALID_EMAIL),
  z.refine((email) => !email.endsWith(PLACEHOLDER_DOMAIN), INVALID_EMAIL),
);

/** A password (spec §5). It is trimmed, and an invalid password is refused with the specification's message. */
export const Password = z.string().check(z.trim(), z.maxLength(MAX_PASSWORD_LENGTH, PASSWORD_TOO_LONG), (checked) => {
  const message = passwordProblem(checked.value);
  if (message !== null) checked.issues.push({ code: 'custom', message, input: checked.value });
});

export const Id = z.int().check(z.positive(), z.lte(MAX_INT));

const FIRST_INSTANT = Date.UTC(1900, 0, 1);
const LAST_INSTANT = Date.UTC(3000, 0, 1);

/** An ISO 8601 time with an offset from UTC. It is converted to UTC with milliseconds. */
export const instant = (name: string) =>
  z.pipe(
    z.iso.datetime({ offset: true, error: notAnInstant(name) }).check(
      z.refine((value) => {
        const time = Date.parse(value);
        return time >= FIRST_INSTANT && time < LAST_INSTANT;
      }, notAnInstant(name)),
    ),
    z.transform((value) => new Date(value).toISOString()),
  );

const asCents = (schema: z.ZodMiniType): z.ZodMiniType<Cents, number> => schema as z.ZodMiniType<Cents, number>;

/** Requests and replies contain every amount of money as an integer number of cents. */
export const Amount = asCents(z.int());

export const amount = (name: string, negative: string) =>
  asCents(z.int(notCents(name)).check(z.gte(0, negative), z.lte(MAX_CENTS, tooLarge(name))));

/** A calendar date. If the input is an ISO date-time, only its date part is used, without conversion to another time zone (contract §2). */
export const CalendarDate = z.pipe(
  z.string().check(z.refine((value) => calendarDate(value) !== null, NOT_A_DATE)),
  z.transform((value) => calendarDate(value) ?? value),
);

/**
 * The previous values of changed fields, as the user saw them. If somebody else has changed one of these fields since, the server refuses
 * the save instead of replacing the value.
 */
export const Before = z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())])));
