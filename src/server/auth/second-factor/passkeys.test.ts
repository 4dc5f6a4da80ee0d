import { expect, test } from 'vitest';
import { softwarePasskey } from '../../../../test/data/passkey.ts';
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

test('each challenge is different', async () => {
  const challenges = await Promise.all([1, 2, 3].map(async () => (await requestOptions(env, [])).challenge));
  expect(new Set(challenges).size).toBe(3);
});
