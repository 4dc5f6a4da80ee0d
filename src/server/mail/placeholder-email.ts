import { randomUUID } from 'node:crypto';
import { PLACEHOLDER_DOMAIN } from '../../shared/mail/no-email.ts';

/** The stored placeholder for a customer without an e-mail address. */
export const placeholderEmail = (): string => randomUUID() + PLACEHOLDER_DOMAIN;

export const isPlaceholder = (email: string): boolean => email.endsWith(PLACEHOLDER_DOMAIN);

/** Null for a placeholder. */
export const realEmail = (text: string): string | null => (isPlaceholder(text) ? null : text);

/** SQL: the e-mail address in a row of users, null for a placeholder. */
export const realEmailSql = (users: string): string => `CASE WHEN ${users}.email NOT LIKE '%${PLACEHOLDER_DOMAIN}' THEN ${users}.email END`;

/** SQL: the person who did something, from a row of users. Only a forgotten customer has no e-mail address here. */
export const actorSql = (users: string): string => `coalesce(${realEmailSql(users)}, 'Former customer ' || ${users}.id)`;

/** SQL: a new placeholder. */
export const PLACEHOLDER_SQL = `gen_random_uuid() || '${PLACEHOLDER_DOMAIN}'`;
