import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';

/**
 * Some proxies write the client's port behind its address: `192.0.2.1:54321` or `[2001:db8::1]:54321`. Returns the address without the port
 * and without the zone of an IPv6 address.
 */
const withoutPort = (address: string): string =>
  address
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/s, '');

/**
 * Returns the IP address of the client. A proxy may forward an X-Forwarded-For header that the client wrote, so an invalid address in this
 * header is ignored.
 */
export function clientAddress({ ip, socket }: FastifyRequest): string {
  const addresses = [ip, socket.remoteAddress].map((address) => withoutPort(address ?? ''));
  return addresses.find((address) => isIP(address) !== 0) ?? '';
}

/**
 * Returns the IP address of the client of a request that Fastify has not received yet. The last of the `trustProxy` proxies has written the
 * address of its own client at the end of the X-Forwarded-For header.
 */
export function rawClientAddress(request: IncomingMessage, trustProxy: number): string {
  // Without a proxy, the header fields are not read here, because Node.js would have to parse them first.
  const forwarded = trustProxy === 0 ? [] : [request.headers['x-forwarded-for'] ?? []].flat().flatMap((list) => list.split(','));
  return withoutPort((forwarded.at(-trustProxy) ?? forwarded[0] ?? request.socket.remoteAddress ?? '').trim());
}
