import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { clientAddress, rawClientAddress } from './client-address.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:54321', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]:54321', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
])(
  'a proxy that names the client as %s forwards requests of the address %s, so that not all clients share the limits of one network',
  (named, address) => {
    const socket = { remoteAddress: '10.0.0.1' };
    expect(clientAddress({ ip: named, socket } as FastifyRequest)).toBe(address);
    const request = { headers: { 'x-forwarded-for': `198.51.100.7, ${named}` }, socket };
    expect(rawClientAddress(request as never, 1)).toBe(address);
  },
);

test('a name that is not an address is ignored in favor of the address of the connection', () => {
  const socket = { remoteAddress: '10.0.0.1' };
  expect(clientAddress({ ip: 'x'.repeat(8000), socket } as FastifyRequest)).toBe('10.0.0.1');
});
