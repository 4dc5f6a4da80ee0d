import { randomUUID } from 'node:crypto';
import { PLACEHOLDER_DOMAIN } from '../../shared/mail/no-email.ts';

/** Returns a placeholder to store as the e-mail address of a customer without one. */
export const placeholderEmail = (): string => randomUUID() + PLACEHOLDER_DOMAIN;

export const isPlaceholder = (email: string): boolean => email.endsWith(PLACEHOLDER_DOMAIN);

/** Returns the e-mail address, or null for a placeholder. */
export const realEmail = (text: string): string | null => (isPlaceholder(text) ? null : text);

/** Returns SQL for the e-mail address in a row of users, or null for a placeholder. */
export const realEmailSql = (users: string): string => `CASE WHEN ${users}.email NOT LIKE '%${PLACEHOLDER_DOMAIN}' THEN ${users}.email END`;

/**
 * Returns SQL that names the author of an action from a row of users. An author without an e-mail address is a customer whose data was
 * erased.
 */
export const actorSql = (users: string): string => `coalesce(${realEmailSql(users)}, 'Former customer ' || ${users}.id)`;

export const PLACEHOLDER_SQL = `gen_random_uuid() || '${PLACEHOLDER_DOMAIN}'`;
