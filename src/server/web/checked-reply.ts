import * as z from 'zod/mini';
import type { Schema } from '../../shared/endpoint.ts';
import { formatZodError } from '../http/format-zod-error.ts';

/**
 * Validates a reply. Throws a plain Error when the reply does not match its contract, because then the server is at fault and not the
 * client.
 */
export function checkedReply(schema: Schema | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = z.safeParse(schema, value);
  if (!parsed.success) throw new Error(`The reply does not match its contract: ${formatZodError(parsed.error)}`);
  return parsed.data;
}
