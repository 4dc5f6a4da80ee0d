// Simulates an authenticator: creates passkeys (ES256, without attestation) and signs challenges, in the form in which a browser sends
// them.
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

interface Site {
  readonly rpId: string;
  readonly origin: string;
}

const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
/** Encodes bytes in CBOR with a length of one byte, for 24 to 255 bytes. */
const bytes = (value: Buffer): Buffer => Buffer.concat([Buffer.from([0x58, value.length]), value]);

/** Encodes a COSE key in CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
const coseKey = (x: Buffer, y: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]), bytes(x), Buffer.from([0x22]), bytes(y)]);

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

export function softwarePasskey({ rpId, origin }: Site = { rpId: 'localhost', origin: 'http://localhost:3000' }) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let count = 0;
  const dataOf = (flags: number, rest = Buffer.alloc(0)): Buffer => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE((count += 1));
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), counter, rest]);
  };
  const clientData = (type: 'webauthn.create' | 'webauthn.get', challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' as const };
  return {
    id: credential.id,
    create(challenge: string) {
      const key = coseKey(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url'));
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const data = dataOf(USER_PRESENT | USER_VERIFIED | HAS_KEY, attested);
      const object = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(data),
      ]);
      const clientDataJSON = clientData('webauthn.create', challenge).toString('base64url');
      return { ...credential, response: { clientDataJSON, attestationObject: object.toString('base64url'), transports: ['internal'] } };
    },
    sign(challenge: string) {
      const [data, client] = [dataOf(USER_PRESENT | USER_VERIFIED), clientData('webauthn.get', challenge)];
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      const signature = createSign('sha256').update(signed).sign(privateKey);
      return {
        ...credential,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
}
