import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** A proxy may forward an X-Forwarded-For that the client wrote. Only valid IP addresses are used, without the zone of an IPv6 address. */
export function clientAddress({ ip, socket }: FastifyRequest): string {
  const address = [ip, socket.remoteAddress].find((given) => isIP(given ?? '') !== 0) ?? '';
  return address.replace(/%.*$/s, '');
}
