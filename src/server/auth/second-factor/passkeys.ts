// Creates and checks passkeys (WebAuthn). The library is loaded when a passkey is used for the first time, because loading it takes longer
// than the rest of the server's start.
import type { RegistrationResponseJSON, AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Row } from '../../database/schema.ts';
import type { Env } from '../../operations/env.ts';

const load = () => import('@simplewebauthn/server');
const loadHelpers = () => import('@simplewebauthn/server/helpers');

/** The COSE identifiers of the signature algorithms Ed25519, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257];

/** Returns the id of the relying party, which is the site to which a passkey belongs. */
const rpIdOf = ({ publicUrl }: Env): string => new URL(publicUrl).hostname;

/** Returns what a browser's response must contain: the challenge, the site, and the origin of a page that may use the passkey. */
const expectedOf = (env: Env, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: [env.publicUrl, ...env.corsOrigins],
  expectedRPID: rpIdOf(env),
  requireUserVerification: false,
});

type KnownPasskey = Pick<Row<'passkeys'>, 'credentialId' | 'transports'>;

const idsOf = (passkeys: readonly KnownPasskey[]) => passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports }));

export async function creationOptions(env: Env, user: { id: number; email: string }, existing: readonly KnownPasskey[]) {
  const { generateRegistrationOptions } = await load();
  return await generateRegistrationOptions({
    rpName: 'Feastday',
    rpID: rpIdOf(env),
    userID: new TextEncoder().encode(`feastday-${user.id}`),
    userName: user.email,
    userDisplayName: user.email,
    attestationType: 'none',
    excludeCredentials: idsOf(existing),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/**
 * Whether the attestation contains certificates. The library would check whether they are revoked, and would download a list of any size
 * from any address that the certificates name. Browsers leave the certificates out, because Feastday does not request an attestation.
 */
async function hasCertificates({ attestationObject }: RegistrationResponseJSON['response']): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await loadHelpers();
  // Decodes with the library's own decoder, because Buffer reads invalid characters in another way, and could read another attestation than
  // the library does.
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  return !['none', 'packed'].includes(attestation.get('fmt')) || attestation.get('attStmt').get('x5c') !== undefined;
}

/** Returns the data of a new passkey to be stored. Returns null for a response that does not belong to the challenge or the site. */
export async function verifyCreation(env: Env, challenge: string, response: RegistrationResponseJSON) {
  const { verifyRegistrationResponse } = await load();
  try {
    if (await hasCertificates(response.response)) return null;
    const verified = await verifyRegistrationResponse({ response, ...expectedOf(env, challenge), supportedAlgorithmIDs: ALGORITHMS });
    if (!verified.verified) return null;
    const { id, publicKey, counter } = verified.registrationInfo.credential;
    return { credentialId: id, publicKey: Buffer.from(publicKey), counter };
  } catch {
    // The library throws when the response is malformed, or when its challenge, origin or relying party is not the expected one.
    return null;
  }
}

export async function requestOptions(env: Env, passkeys: readonly KnownPasskey[]) {
  const { generateAuthenticationOptions } = await load();
  return await generateAuthenticationOptions({ rpID: rpIdOf(env), allowCredentials: idsOf(passkeys), userVerification: 'preferred' });
}

type StoredPasskey = Pick<Row<'passkeys'>, 'credentialId' | 'publicKey' | 'counter'>;

/** Checks that the passkey signed the challenge. Returns the new signature counter of the passkey, or null for an invalid response. */
export async function verifyAssertion(
  env: Env,
  challenge: string,
  { response, passkey }: { response: AuthenticationResponseJSON; passkey: StoredPasskey },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await load();
  const credential = { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter };
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({ response, ...expectedOf(env, challenge), credential });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}
