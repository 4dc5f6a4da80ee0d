// Protects the server against connections that send more than one request or body needs (docs/reliability.md, "abuse").
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HEADER_TOO_LARGE, PLAIN_TEXT } from './error-reply.ts';

/** Of larger bodies, nothing is discarded. The largest body that a call accepts has 4 MB, so a larger one is a flood or a mistake. */
const MAX_DISCARDED_BYTES = 5 * 1024 * 1024;
/** The number of milliseconds for which a body that is too large, or one that is refused for another reason, is read and discarded. */
export const DISCARD_TOO_LARGE_MS = 10_000;
export const DISCARD_REFUSED_MS = 3000;

/**
 * Reads the rest of a body that nobody needs and discards it. The server closes the connection after its response. If unread bytes remained,
 * the kernel would reset the connection, and a client that is still sending would see a network error instead of the response.
 */
export function discardBody(request: IncomingMessage, ms: number): Promise<void> {
  const isTooLong = Number(request.headers['content-length'] ?? 0) > MAX_DISCARDED_BYTES;
  if (isTooLong || request.readableEnded || request.destroyed) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => resolve(), ms);
  request.once('end', resolve).once('close', resolve).once('error', resolve).resume();
  return promise.finally(() => {
    clearTimeout(timer);
    request.off('end', resolve).off('close', resolve).off('error', resolve);
  });
}

/** Browsers send about 20 header fields, and proxies add about ten. */
const MAX_HEADERS = 100;

/**
 * Whether a request has too many header fields. Node.js ignores further ones, also Content-Length and X-Forwarded-For, so such a request is
 * refused before any limit needs them.
 */
const hasManyHeaders = ({ rawHeaders }: IncomingMessage): boolean => rawHeaders.length > 2 * MAX_HEADERS;

const refuseAndClose = (response: ServerResponse, status: number, sentence: string): void => {
  response.writeHead(status, { connection: 'close', 'content-type': PLAIN_TEXT }).end(sentence);
};

type Listener<Args extends unknown[]> = (...args: Args) => void;

/** Makes the server call `listener` for an event. The last argument of `listener` calls the listeners that the event has had until now. */
export function intercept<Args extends unknown[]>(server: Server, event: string, listener: Listener<[...Args, Listener<Args>]>): void {
  const previous = server.listeners(event) as Listener<Args>[];
  const handle: Listener<Args> = (...args) => previous.forEach((each) => each.apply(server, args));
  server.removeAllListeners(event);
  server.on(event, (...args: unknown[]) => listener(...(args as Args), handle));
}

/**
 * Closes the connection of a client that sends a request before the response to its previous request has ended (HTTP pipelining). Browsers
 * do not do so. Node.js would create all requests that fit into a packet at once, and keep each of them until its response is sent. Some
 * responses end in the same iteration of the event loop, so two requests in one iteration are refused, too.
 */
export function refusePipelining(server: Server): void {
  const responses = new WeakMap<Socket, ServerResponse>();
  const inThisIteration = new Set<Socket>();
  server.maxHeadersCount = MAX_HEADERS;
  intercept<[IncomingMessage, ServerResponse]>(server, 'request', (request, response, handle) => {
    const { socket } = request;
    const previous = responses.get(socket);
    if (inThisIteration.has(socket) || (previous && !previous.writableEnded)) socket.destroy();
    if (socket.destroyed) return;
    responses.set(socket, response);
    if (inThisIteration.size === 0) setImmediate(() => inThisIteration.clear());
    inThisIteration.add(socket);
    if (hasManyHeaders(request)) return refuseAndClose(response, 431, HEADER_TOO_LARGE);
    handle(request, response);
  });
}

/** Closes the connection after the refusal of an unknown `Expect` header. Node.js refuses these requests before any limit counts them. */
export function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    refuseAndClose(response, 417, 'The server does not know what the header Expect asks for.');
  });
}
