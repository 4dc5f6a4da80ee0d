import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the IP address of the client. A proxy may forward an X-Forwarded-For header that the client wrote, so an invalid address in this
 * header is ignored. The zone of an IPv6 address is removed.
 */
export function clientAddress({ ip, socket }: FastifyRequest): string {
  const address = [ip, socket.remoteAddress].find((given) => isIP(given ?? '') !== 0) ?? '';
  return address.replace(/%.*$/s, '');
}
