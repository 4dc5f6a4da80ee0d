// Converts a Zod error of a request body into one plain sentence (contract §2).
import * as z from 'zod/mini';

const KINDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/**
 * Replaces Zod's own messages by phrases that follow the name of a field. The application's own messages are whole sentences and stay
 * unchanged.
 */
function faultOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type') return `must be ${KINDS[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`;
  if (issue.code === 'too_small') return 'is too small';
  if (issue.code === 'too_big') return 'is too large';
  return 'cannot be read';
}
z.config({ localeError: faultOf });

/** Whether an error message may contain this part of a path. In a map such as `before`, the client chooses the keys, so a key can be any text. */
const isNameable = (part: PropertyKey): boolean => typeof part === 'number' || /^[\w-]{1,40}$/.test(String(part));

/** Returns one sentence about the first issue. If a part of the path may not be in a message, it names only the parts before. */
export function formatZodError(error: z.core.$ZodError): string {
  const [issue] = error.issues;
  if (!issue) return 'The request is invalid.';
  if (!/^(must be|is|cannot be) /.test(issue.message)) return issue.message;
  const end = issue.path.findIndex((part) => !isNameable(part));
  const field = issue.path
    .slice(0, end === -1 ? undefined : end)
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index ? `.${String(part)}` : String(part)))
    .join('');
  return `${field || 'The body'} ${issue.message}.`;
}
