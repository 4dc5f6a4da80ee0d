// Simulates an authenticator, such as a phone. It creates passkeys (ES256, without attestation) and signs challenges. The results have the
// form in which a browser sends them.
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

interface Site {
  readonly rpId: string;
  readonly origin: string;
}

/** Encodes a text of up to 23 bytes in CBOR. */
export const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
/** Encodes 24 to 65,535 bytes in CBOR. */
export function bytes(value: Buffer): Buffer {
  const length = value.length < 256 ? [0x58, value.length] : [0x59, value.length >> 8, value.length & 0xff];
  return Buffer.concat([Buffer.from(length), value]);
}

/** A statement that an authenticator makes about itself when it creates a passkey. */
export interface Attestation {
  readonly fmt: string;
  /** The fields of the attestation statement. Each value is already encoded in CBOR. */
  readonly statement: Readonly<Record<string, Buffer>>;
}
const NO_ATTESTATION: Attestation = { fmt: 'none', statement: {} };

/** The new passkey that an attestation describes. */
export interface Attested {
  /** The public key in the form in which a certificate contains it (SPKI, DER). */
  readonly publicKey: Buffer;
  readonly clientDataHash: Buffer;
  /** The signature of the passkey itself over its data. */
  readonly signature: Buffer;
}

/** Encodes a COSE public key in CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
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
    create(challenge: string, attest: (attested: Attested) => Attestation = () => NO_ATTESTATION) {
      const key = coseKey(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url'));
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const data = dataOf(USER_PRESENT | USER_VERIFIED | HAS_KEY, attested);
      const client = clientData('webauthn.create', challenge);
      const clientDataHash = createHash('sha256').update(client).digest();
      const signature = createSign('sha256')
        .update(Buffer.concat([data, clientDataHash]))
        .sign(privateKey);
      const { fmt, statement } = attest({ publicKey: publicKey.export({ type: 'spki', format: 'der' }), clientDataHash, signature });
      const fields = Object.entries(statement);
      const object = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text(fmt),
        text('attStmt'),
        Buffer.from([0xa0 + fields.length]),
        ...fields.flatMap(([name, value]) => [text(name), value]),
        text('authData'),
        bytes(data),
      ]);
      const attestationObject = object.toString('base64url');
      return { ...credential, response: { clientDataJSON: client.toString('base64url'), attestationObject, transports: ['internal'] } };
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
