import { randomUUID } from 'node:crypto';
import { NO_EMAIL } from '../../shared/mail/no-email.ts';

/** Stands for the e-mail of a customer without one. */
export const placeholderEmail = (): string => randomUUID() + NO_EMAIL;

export const isPlaceholder = (email: string): boolean => email.endsWith(NO_EMAIL);

/** SQL: the e-mail of a row of users, null for a customer without one. */
export const knownEmail = (users: string): string => `CASE WHEN ${users}.email NOT LIKE '%${NO_EMAIL}' THEN ${users}.email END`;
