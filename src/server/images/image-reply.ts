// A picture under an address that names its bytes: a browser keeps it for a year and never asks again.
import type { FastifyReply, FastifyRequest } from 'fastify';

export class ImageReply {
  readonly image: Buffer;
  readonly hash: string;
  constructor({ image, hash }: { readonly image: Buffer; readonly hash: string }) {
    this.image = image;
    this.hash = hash;
  }
}

export async function sendImage(request: FastifyRequest, reply: FastifyReply, { image, hash }: ImageReply): Promise<FastifyReply> {
  const etag = `"${hash}"`;
  // Private: it is shown to those of one distributor only. Of the same site, because the client may come from another of its hosts.
  void reply.headers({ etag, 'cache-control': 'private, max-age=31536000, immutable', 'cross-origin-resource-policy': 'same-site' });
  if (request.headers['if-none-match'] === etag) return await reply.code(304).send();
  return await reply.type('image/webp').send(image);
}
