// Hands the requests over to Fastify in slices, so that thousands of requests that arrive at the same moment do not block the event loop
// (docs/reliability.md, "abuse").
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { blockOrAddressOf } from '../../auth/network.ts';
import type { Env } from '../../operations/env.ts';
import { rawClientAddress } from '../client-address.ts';
import { intercept } from '../connections.ts';
import { limitPerIteration } from '../../queues/limiter.ts';

/** Until a request reaches the queue in which it waits for its start, Fastify and the hooks need up to 0.2 ms of processor time. */
const REQUESTS_PER_ITERATION = 50;

/** Further requests wait. The IPv4 addresses and IPv6 /48 networks of their clients take turns. */
export function handOverInTurns(server: Server, { trustProxy }: Pick<Env, 'trustProxy'>): void {
  const turn = limitPerIteration({ concurrency: REQUESTS_PER_ITERATION });
  intercept<[IncomingMessage, ServerResponse]>(server, 'request', (request, response, handle) => {
    void turn({ key: blockOrAddressOf(rawClientAddress(request, trustProxy)) }).then(() => {
      // The client may have disconnected while its request waited.
      if (!request.destroyed && !request.socket.destroyed) handle(request, response);
    });
  });
}

/** Closing a connection takes about 0.1 ms. */
const CLOSED_PER_ITERATION = 50;

/**
 * Closes the connections whose requests are malformed or have not arrived in time, in slices: thousands of connections that were opened
 * together time out at the same moment. A connection that waits is no longer read. Otherwise each further packet would be one more error.
 */
export function closeInTurns(server: Server): void {
  const turn = limitPerIteration({ concurrency: CLOSED_PER_ITERATION });
  intercept<[Error, Socket]>(server, 'clientError', (error, socket, handle) => {
    socket.pause();
    void turn().then(() => handle(error, socket));
  });
}
