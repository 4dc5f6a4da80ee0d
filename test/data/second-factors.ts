// Creates second factors for a tenant's staff, and request bodies for the calls with which users manage their second factors.
import { Secret, TOTP } from 'otpauth';
import type { Role } from '../../src/domain/accounts/roles.ts';
import { STAFF_ROLES } from '../../src/domain/accounts/second-factor.ts';
import { newCodeSecret } from '../../src/server/auth/second-factor/code-app.ts';
import { CLOCK, type Person } from '../test-app.ts';
import { softwarePasskey } from './passkeys/software-passkey.ts';
import type { TestDb } from '../database/test-db.ts';

interface Staff {
  readonly people: Readonly<Record<Role, Person>>;
}
export type PasskeyIds = Partial<Record<Role, number>>;

const CHALLENGE = 'Y2hhbGxlbmdl';
const CODE_SECRET = newCodeSecret();

/**
 * Gives each staff member a passkey, and begins to set up a second passkey and a code app for each of them. After this call, signing in
 * needs a second step.
 */
export async function withSecondFactors<Of extends Staff>(db: TestDb, tenant: Of): Promise<Of & { passkeyIds: PasskeyIds }> {
  const passkeyIds: PasskeyIds = {};
  for (const role of STAFF_ROLES) {
    const userId = tenant.people[role].id;
    const { id } = await db
      .insertInto('passkeys')
      .values({ userId, credentialId: softwarePasskey().id, publicKey: Buffer.from('key'), name: 'Phone', usedAt: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    passkeyIds[role] = id;
    const setup = { userId, expiresAt: '2100-01-01T00:00:00.000Z' };
    await db
      .insertInto('second_factor_setups')
      .values([
        { ...setup, kind: 'passkey', secret: CHALLENGE },
        { ...setup, kind: 'code', secret: CODE_SECRET },
      ])
      .execute();
  }
  return { ...tenant, passkeyIds };
}

/** Returns the code that a code app with this secret shows at the given time. */
export const codeAt = (secret: string, time: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time.getTime() });

/** Returns valid request bodies for a user with this password. `withSecondFactors` must have been called before. */
export const secondFactorBodies = (password: string): Record<string, () => object> => ({
  'POST /api/user/second-factor/passkeys/start': () => ({ password }),
  'POST /api/user/second-factor/passkeys': () => ({ name: 'Laptop', passkey: softwarePasskey().create(CHALLENGE) }),
  'PATCH /api/user/second-factor/passkeys/:passkeyId': () => ({ name: 'Laptop' }),
  'POST /api/user/second-factor/passkeys/:passkeyId/remove': () => ({ password }),
  'POST /api/user/second-factor/code-app/start': () => ({ password }),
  'POST /api/user/second-factor/code-app': () => ({ code: codeAt(CODE_SECRET, CLOCK) }),
  'POST /api/user/second-factor/code-app/remove': () => ({ password }),
  'POST /api/user/second-factor/recovery-codes': () => ({ password }),
});

const WITH_FACTOR = 'admin distributor agent';

/** The roles that may send the calls about second factors (contract §19). */
export const SECOND_FACTOR_CALLERS: Record<string, string> = {
  'POST /api/login/second-factor': 'public',
  'POST /api/login/second-factor/challenge': 'public',
  'GET /api/user/second-factor': WITH_FACTOR,
  'POST /api/user/second-factor/passkeys/start': WITH_FACTOR,
  'POST /api/user/second-factor/passkeys': WITH_FACTOR,
  'PATCH /api/user/second-factor/passkeys/:passkeyId': WITH_FACTOR,
  'POST /api/user/second-factor/passkeys/:passkeyId/remove': WITH_FACTOR,
  'POST /api/user/second-factor/code-app/start': WITH_FACTOR,
  'POST /api/user/second-factor/code-app': WITH_FACTOR,
  'POST /api/user/second-factor/code-app/remove': WITH_FACTOR,
  'POST /api/user/second-factor/recovery-codes': WITH_FACTOR,
  'POST /api/distributors/:distributorId/second-factor/reset': 'admin',
};
