import { NetworkError, type Call } from '../src/client/api/fetch.ts';

export const LOST_REPLY = 'The reply was lost.';

/** Returns a call that loses some replies: the server carries out the request, but the client gets a network error. */
export const losingReply = (call: Call, isLost: (endpoint: unknown, reply: unknown) => boolean): Call =>
  (async (...args: Parameters<Call>) => {
    const reply: unknown = await call(...args);
    if (isLost(args[0], reply)) throw new NetworkError(LOST_REPLY);
    return reply;
  }) as Call;
