import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { ambiguous, forgedAndroidKey } from '../../../../test/data/passkeys/forged-attestation.ts';
import { bytes, softwarePasskey, type Attestation, type Attested } from '../../../../test/data/passkeys/software-passkey.ts';
import { readEnv } from '../../operations/env.ts';
import { creationOptions, requestOptions, verifyAssertion, verifyCreation } from './passkeys.ts';

const env = readEnv({ PUBLIC_URL: 'https://orders.example.org', CORS_ORIGINS: 'https://shop.orders.example.org' });
const USER = { id: 7, email: 'office@bethel.test' };

async function usedAt(origin: string): Promise<boolean[]> {
  const passkey = softwarePasskey({ rpId: 'orders.example.org', origin });
  const { challenge } = await creationOptions(env, USER, []);
  const made = await verifyCreation(env, challenge, { ...passkey.create(challenge), clientExtensionResults: {} } as never);
  if (!made) return [false];
  const request = await requestOptions(env, [{ credentialId: made.credentialId, transports: [] }]);
  const response = { ...passkey.sign(request.challenge), clientExtensionResults: {} };
  return [true, (await verifyAssertion(env, request.challenge, { response, passkey: made })) !== null];
}

test('a passkey belongs to the host of PUBLIC_URL and works on pages of that host and of CORS_ORIGINS (contract §19)', async () => {
  const { rp, excludeCredentials } = await creationOptions(env, USER, [{ credentialId: 'known', transports: ['usb'] }]);
  expect(rp).toEqual({ id: 'orders.example.org', name: 'Feastday' });
  expect(excludeCredentials).toEqual([{ id: 'known', transports: ['usb'], type: 'public-key' }]);
  expect(await usedAt('https://orders.example.org')).toEqual([true, true]);
  expect(await usedAt('https://shop.orders.example.org')).toEqual([true, true]);
  expect(await usedAt('https://evil.example')).toEqual([false]);
});

test('each challenge for a passkey is different', async () => {
  const challenges = await Promise.all([1, 2, 3].map(async () => (await requestOptions(env, [])).challenge));
  expect(new Set(challenges).size).toBe(3);
});

async function create(attest: (attested: Attested) => Attestation, encode = (attestationObject: string) => attestationObject) {
  const passkey = softwarePasskey({ rpId: 'orders.example.org', origin: 'https://orders.example.org' });
  const { challenge } = await creationOptions(env, USER, []);
  const { response, ...credential } = passkey.create(challenge, attest);
  const sent = { ...response, attestationObject: encode(response.attestationObject) };
  return await verifyCreation(env, challenge, { ...credential, response: sent, clientExtensionResults: {} } as never);
}

// Feastday asks browsers to leave out the attestation, so only an attacker sends one with certificates. If the server checked such
// certificates, it would download data of any size from the URLs that they contain, which may be in the operator's own network.
test('a passkey whose attestation has a chain of certificates is refused, and nothing is downloaded (reliability factor)', async () => {
  const downloads: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    downloads.push(request.url);
    response.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const forged = forgedAndroidKey(`http://127.0.0.1:${port}/list-of-revoked-certificates`);
  expect(await create(forged)).toBeNull();
  expect(await create(forged, ambiguous)).toBeNull();
  await new Promise((resolve) => server.close(resolve));
  expect(downloads).toEqual([]);
});

test('a passkey with self attestation (a signature by its own key) is accepted, because browsers do not have to remove it (contract §19)', async () => {
  const packed = ({ signature }: Attested) => ({ fmt: 'packed', statement: { alg: Buffer.from([0x26]), sig: bytes(signature) } });
  expect(await create(packed)).not.toBeNull();
});
