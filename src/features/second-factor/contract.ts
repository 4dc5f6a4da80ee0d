// Users set up and remove their own second factor: passkeys or a code app. A distributor can remove an agent's second factor, and an admin
// can remove a distributor's (contract §19).
import * as z from 'zod/mini';
import { RECOVERY_CODES, STAFF_ROLES } from '../../domain/accounts/second-factor.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { Id, requiredText, text } from '../../shared/fields.ts';
import { LOCKED } from '../auth/texts.ts';
import { HAS_CODE_APP, IS_REQUIRED, NO_FACTOR, PASSKEY_KNOWN, SIGN_IN_AGAIN, START_AGAIN, TOO_MANY_PASSKEYS } from './texts.ts';

export const MAX_CREDENTIAL_LENGTH = 2000;
export const MAX_PART_LENGTH = 20_000;
export const base64url = (name: string, max = MAX_PART_LENGTH) => text(name, max);

export const Credential = {
  id: base64url('id', MAX_CREDENTIAL_LENGTH),
  rawId: base64url('rawId', MAX_CREDENTIAL_LENGTH),
  type: z.literal('public-key'),
};

/** The new passkey as the browser returns it: the JSON of the result of navigator.credentials.create(). */
const Attestation = z.object({
  ...Credential,
  response: z.object({
    clientDataJSON: base64url('clientDataJSON'),
    attestationObject: base64url('attestationObject'),
    transports: z.optional(z.array(text('transports')).check(z.maxLength(20))),
  }),
});
type Attestation = z.infer<typeof Attestation>;

export const Descriptor = z.object({ id: z.string(), type: z.string(), transports: z.optional(z.array(z.string())) });

/** The options with which the browser creates a passkey (PublicKeyCredentialCreationOptionsJSON of WebAuthn). */
const CreationOptions = z.object({
  rp: z.object({ id: z.optional(z.string()), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.string(), alg: z.int() })),
  timeout: z.optional(z.int()),
  excludeCredentials: z.optional(z.array(Descriptor)),
  authenticatorSelection: z.optional(
    z.object({
      residentKey: z.optional(z.string()),
      requireResidentKey: z.optional(z.boolean()),
      userVerification: z.optional(z.string()),
    }),
  ),
  attestation: z.optional(z.string()),
});

const PasskeyItem = z.object({ id: Id, name: z.string(), createdAt: z.string(), usedAt: z.nullable(z.string()) });
export type PasskeyItem = z.infer<typeof PasskeyItem>;

export const SecondFactor = z.object({
  passkeys: z.array(PasskeyItem),
  codeApp: z.nullable(z.object({ createdAt: z.string(), usedAt: z.nullable(z.string()) })),
  /** The number of recovery codes that the user has not used yet. */
  recoveryCodes: z.int(),
  isRequired: z.boolean(),
});
export type SecondFactor = z.infer<typeof SecondFactor>;

const OWN = { roles: STAFF_ROLES, isOpenBeforeSecondFactor: true } as const;
const Confirmed = z.object({ password: text('Password', 1000) });
/**
 * The new recovery codes. Only this response shows them, because the database stores only their hashes. The field is absent if the user
 * already has recovery codes.
 */
const Added = z.object({ recoveryCodes: z.optional(z.array(z.string())) });
const ASKS = 'Asks for the password, and where a factor is set up for a sign-in with it in the last ten minutes.';
const confirmedBy = (refusal: string) =>
  ({ description: ASKS, refusals: { 403: SIGN_IN_AGAIN, 409: refusal, 429: LOCKED }, ...OWN, body: Confirmed }) as const;
const ENDS = 'Ends the sessions in other browsers.';

export const readSecondFactor = endpoint({
  method: 'GET',
  path: '/api/user/second-factor',
  summary: 'The own second factor',
  ...OWN,
  reply: SecondFactor,
});

export const startPasskey = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/passkeys/start',
  summary: 'Begin to add a passkey: the options for the browser',
  ...confirmedBy(TOO_MANY_PASSKEYS),
  reply: CreationOptions,
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/passkeys',
  summary: `Add the passkey that the browser has made; with the first factor come ${RECOVERY_CODES} recovery codes, shown once`,
  description: ENDS,
  refusals: { 409: `${START_AGAIN} ${PASSKEY_KNOWN}` },
  ...OWN,
  body: z.object({ name: requiredText('Name'), passkey: Attestation }),
  reply: Added,
  status: 201,
});

export const renamePasskey = endpoint({
  method: 'PATCH',
  path: '/api/user/second-factor/passkeys/:passkeyId',
  summary: 'Name an own passkey',
  ...OWN,
  body: z.object({ name: requiredText('Name') }),
  status: 204,
});

export const removePasskey = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/passkeys/:passkeyId/remove',
  summary: 'Remove an own passkey',
  ...confirmedBy(IS_REQUIRED),
  status: 204,
});

export const startCodeApp = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/code-app/start',
  summary: 'Begin to add the code app: its secret, and the same as the URI of a QR code',
  ...confirmedBy(HAS_CODE_APP),
  reply: z.object({ secret: z.string(), uri: z.string() }),
});

export const addCodeApp = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/code-app',
  summary: `Add the code app with a first code of it; with the first factor come ${RECOVERY_CODES} recovery codes, shown once`,
  description: ENDS,
  refusals: { 409: `${START_AGAIN} ${HAS_CODE_APP}` },
  ...OWN,
  body: z.object({ code: text('Code', 20) }),
  reply: Added,
  status: 201,
});

export const removeCodeApp = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/code-app/remove',
  summary: 'Remove the own code app',
  ...confirmedBy(IS_REQUIRED),
  status: 204,
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/recovery-codes',
  summary: `${RECOVERY_CODES} new recovery codes, shown once; the old ones stop working`,
  ...confirmedBy(NO_FACTOR),
  reply: z.object({ recoveryCodes: z.array(z.string()) }),
  status: 201,
});

export const resetAgentFactor = endpoint({
  method: 'POST',
  path: '/api/users/agent/:userId/second-factor/reset',
  summary: 'Take the second factor off an own agent, whose sessions end',
  roles: ['distributor'],
  status: 204,
});

export const resetDistributorFactor = endpoint({
  method: 'POST',
  path: '/api/distributors/:distributorId/second-factor/reset',
  summary: 'Take the second factor off a distributor, whose sessions end',
  roles: ['admin'],
  status: 204,
});
