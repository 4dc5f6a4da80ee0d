// A recovery code has 80 random bits. The user sees it once, and the database stores only its hash.
import { hash, randomBytes } from 'node:crypto';
import { normalizedRecoveryCode, RECOVERY_BYTES, RECOVERY_CODES, recoveryCodeOf } from '../../../domain/accounts/second-factor.ts';

export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, () => recoveryCodeOf(randomBytes(RECOVERY_BYTES)));

export const hashOfRecoveryCode = (typed: string): string => hash('sha256', normalizedRecoveryCode(typed), 'base64url');
