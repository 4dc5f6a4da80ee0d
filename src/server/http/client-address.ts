import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** A proxy may pass on whatever a client wrote into X-Forwarded-For: what is no IP address is not used, nor is the zone of an IPv6 one. */
export function clientAddress({ ip, socket }: FastifyRequest): string {
  const address = [ip, socket.remoteAddress].find((given) => isIP(given ?? '') !== 0) ?? '';
  return address.replace(/%.*$/s, '');
}
