// This is the last pipeline stage. It validates the route's reply against its contract and sends it.
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../../shared/endpoint.ts';
import { ReplyWithStatus, SerializedReply } from './route.ts';
import { hasLists, isBatches, streamOf } from '../json-stream.ts';
import { ImageReply, sendImage } from '../../images/image-reply.ts';
import { CachedBody, sendCachedBody } from '../../web/body-cache.ts';
import { checkedReply } from '../../web/checked-reply.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

export function serializeJson(endpoint: Endpoint, result: unknown): SerializedReply {
  const { status, value } = result instanceof ReplyWithStatus ? result : { status: endpoint.status ?? 200, value: result };
  return new SerializedReply(status, endpoint.reply ? JSON.stringify(checkedReply(endpoint.reply, value)) : '');
}

/**
 * Sends a long list as a stream. For a HEAD request, Fastify would send the headers and then read the stream to its end, when the request
 * no longer counts toward any limit. The stream is therefore destroyed before its remaining rows are read.
 */
const sendStream = (request: FastifyRequest, reply: FastifyReply, stream: Readable): FastifyReply =>
  reply.type(JSON_TYPE).send(request.method === 'HEAD' ? stream.destroy() : stream);

export const serializeReply =
  (endpoint: Endpoint, handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const result = await handle(request, reply);
    if (endpoint.fileName !== undefined) reply.header('content-disposition', `attachment; filename="${endpoint.fileName}"`);
    if (result instanceof CachedBody) return await sendCachedBody(request, reply, result);
    if (result instanceof ImageReply) return await sendImage(request, reply, result);
    if (isBatches(result) || hasLists(result))
      return await sendStream(request, reply, await streamOf(result, (part) => checkedReply(endpoint.reply, part)));
    const { status, json } = result instanceof SerializedReply ? result : serializeJson(endpoint, result);
    return json === '' ? await reply.code(status).send() : await reply.code(status).type(JSON_TYPE).send(json);
  };
