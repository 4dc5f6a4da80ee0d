import { randomUUID } from 'node:crypto';
import { PLACEHOLDER_DOMAIN } from '../../shared/mail/no-email.ts';

/** Stands for the e-mail of a customer without one. */
export const placeholderEmail = (): string => randomUUID() + PLACEHOLDER_DOMAIN;

export const isPlaceholder = (email: string): boolean => email.endsWith(PLACEHOLDER_DOMAIN);

/** SQL: the e-mail of a row of users, null for a customer without one. */
export const realEmailSql = (users: string): string => `CASE WHEN ${users}.email NOT LIKE '%${PLACEHOLDER_DOMAIN}' THEN ${users}.email END`;
