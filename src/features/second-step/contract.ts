// After the password, a user with a second factor completes the sign-in with a second step (contract §19).
import * as z from 'zod/mini';
import { LOCK_MINUTES, MAX_FAILURES } from '../../domain/accounts/account.ts';
import { MAX_CODE_FAILURES, MAX_STEP_ATTEMPTS } from '../../domain/accounts/second-factor.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { text } from '../../shared/fields.ts';
import { CurrentUser } from '../auth/contract.ts';
import { LOCKED } from '../auth/texts.ts';
import { base64url, Credential, Descriptor, MAX_CREDENTIAL_LENGTH } from '../second-factor/contract.ts';
import { NO_FACTOR } from '../second-factor/texts.ts';
import { ONE_WAY, STEP_EXPIRED } from './texts.ts';

/** The signature of a passkey as the browser returns it: the JSON of the result of navigator.credentials.get(). */
export const Assertion = z.object({
  ...Credential,
  response: z.object({
    clientDataJSON: base64url('clientDataJSON'),
    authenticatorData: base64url('authenticatorData'),
    signature: base64url('signature'),
    userHandle: z.optional(z.nullable(base64url('userHandle', MAX_CREDENTIAL_LENGTH))),
  }),
});
export type Assertion = z.infer<typeof Assertion>;

/** The options with which the browser lets a passkey sign (PublicKeyCredentialRequestOptionsJSON of WebAuthn). */
const RequestOptions = z.object({
  challenge: z.string(),
  timeout: z.optional(z.int()),
  rpId: z.optional(z.string()),
  allowCredentials: z.optional(z.array(Descriptor)),
  userVerification: z.optional(z.string()),
});

const LIMITS = `After ${MAX_STEP_ATTEMPTS} attempts the password is asked again; each failure also counts toward the account's lock of ${LOCK_MINUTES} minutes after ${MAX_FAILURES} failures in a row. After ${MAX_CODE_FAILURES} wrong codes in a row the code app is refused until a passkey or a recovery code signs in.`;

export const requestPasskey = endpoint({
  method: 'POST',
  path: '/api/login/second-factor/challenge',
  summary: 'What the passkey of a sign-in has to sign',
  description: 'Needs the cookie that POST /api/login sets. Each challenge is used once.',
  refusals: { 409: `${STEP_EXPIRED} ${NO_FACTOR}` },
  roles: ['public'],
  reply: RequestOptions,
});

export const takeSecondStep = endpoint({
  method: 'POST',
  path: '/api/login/second-factor',
  summary: 'The second step of a sign-in: a code, a recovery code or a signed challenge opens the session',
  description: `Needs the cookie that POST /api/login sets; it works for ten minutes and once. Exactly one of the fields is sent. Replies 401 to a wrong one. ${LIMITS}`,
  refusals: { 429: LOCKED },
  roles: ['public'],
  body: z
    .object({
      code: z.optional(text('Code', 20)),
      recoveryCode: z.optional(text('Recovery code', 100)),
      passkey: z.optional(Assertion),
    })
    .check(z.refine((sent) => Object.values(sent).filter((value) => value !== undefined).length === 1, ONE_WAY)),
  reply: CurrentUser,
});
