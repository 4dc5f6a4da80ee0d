// A picture whose URL contains the hash of its bytes: browsers cache it for a year without revalidation.
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
  // Private, because only the distributor's users may see it. Same-site, because the client may run on another host of the same site.
  void reply.headers({ etag, 'cache-control': 'private, max-age=31536000, immutable', 'cross-origin-resource-policy': 'same-site' });
  if (request.headers['if-none-match'] === etag) return await reply.code(304).send();
  return await reply.type('image/webp').send(image);
}
