// Creates and checks passkeys (WebAuthn). The library is loaded when a passkey is used for the first time, because loading it takes longer
// than the rest of the server's start.
import type { RegistrationResponseJSON, AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Env } from '../../operations/env.ts';

const load = () => import('@simplewebauthn/server');
const loadHelpers = () => import('@simplewebauthn/server/helpers');

/** The COSE identifiers of the signature algorithms Ed25519, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257];

/** A relying party consists of the site to which a passkey belongs, and the origins of the pages that may use the passkey. */
interface RelyingParty {
  readonly rpID: string;
  readonly origins: string[];
}
const relyingParty = ({ publicUrl, corsOrigins }: Pick<Env, 'publicUrl' | 'corsOrigins'>): RelyingParty => ({
  rpID: new URL(publicUrl).hostname,
  origins: [publicUrl, ...corsOrigins],
});

interface KnownPasskey {
  readonly credentialId: string;
  readonly transports: string[];
}

const idsOf = (passkeys: readonly KnownPasskey[]) => passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports }));

export async function creationOptions(env: Env, user: { id: number; email: string }, existing: readonly KnownPasskey[]) {
  const { generateRegistrationOptions } = await load();
  return await generateRegistrationOptions({
    rpName: 'Feastday',
    rpID: relyingParty(env).rpID,
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
  const { rpID, origins } = relyingParty(env);
  const asked = { response, expectedChallenge: challenge, expectedOrigin: origins, expectedRPID: rpID };
  try {
    if (await hasCertificates(response.response)) return null;
    const verified = await verifyRegistrationResponse({ ...asked, requireUserVerification: false, supportedAlgorithmIDs: ALGORITHMS });
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
  const { rpID } = relyingParty(env);
  return await generateAuthenticationOptions({ rpID, allowCredentials: idsOf(passkeys), userVerification: 'preferred' });
}

interface StoredPasskey {
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
}

/** Checks that the passkey signed the challenge. Returns the new signature counter of the passkey, or null for an invalid response. */
export async function verifyAssertion(
  env: Env,
  challenge: string,
  { response, passkey }: { response: AuthenticationResponseJSON; passkey: StoredPasskey },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await load();
  const { rpID, origins } = relyingParty(env);
  const asked = { response, expectedChallenge: challenge, expectedOrigin: origins, expectedRPID: rpID };
  const credential = { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter };
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({ ...asked, credential, requireUserVerification: false });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}
