import type { IncomingMessage } from 'node:http';

/** The number of bytes that are discarded. A larger body is a flood or a mistake, and its sender sees only that the connection was reset. */
const MAX_DISCARDED = 64 * 1024 * 1024;
const MAX_MS = 10_000;

/**
 * Reads the rest of a body that is too large and discards it. Fastify closes the connection after the response 413. If unread bytes
 * remained, the kernel would reset the connection, and a client that is still sending would see a network error instead of the 413.
 */
export function discardBody(request: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (request.readableEnded || request.destroyed) return Promise.resolve();
  let left = MAX_DISCARDED;
  const discard = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) resolve();
  };
  const timer = setTimeout(() => resolve(), MAX_MS);
  request.on('data', discard).once('end', resolve).once('close', resolve).once('error', resolve).resume();
  return promise.finally(() => {
    clearTimeout(timer);
    request.off('data', discard).off('end', resolve).off('close', resolve).off('error', resolve);
  });
}
