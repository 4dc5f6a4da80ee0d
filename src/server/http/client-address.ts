import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';

/**
 * Returns the IP address of the client. A proxy may forward an X-Forwarded-For header that the client wrote, so an invalid address in this
 * header is ignored. The zone of an IPv6 address is removed.
 */
export function clientAddress({ ip, socket }: FastifyRequest): string {
  const address = [ip, socket.remoteAddress].find((given) => isIP(given ?? '') !== 0) ?? '';
  return address.replace(/%.*$/s, '');
}

/**
 * Returns the IP address of the client of a request that Fastify has not received yet. The last of the `trustProxy` proxies has written the
 * address of its own client at the end of the X-Forwarded-For header.
 */
export function rawClientAddress(request: IncomingMessage, trustProxy: number): string {
  // Without a proxy, the header fields are not read here, because Node.js would have to parse them first.
  const forwarded = trustProxy === 0 ? [] : [request.headers['x-forwarded-for'] ?? []].flat().flatMap((list) => list.split(','));
  return (forwarded.at(-trustProxy) ?? forwarded[0] ?? request.socket.remoteAddress ?? '').trim();
}
