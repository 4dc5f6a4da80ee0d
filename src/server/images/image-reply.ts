// Sends a picture. The picture's URL contains the hash of its bytes, so browsers may cache it for a year without revalidation.
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
  // The picture is private, because only the distributor's users may see it. It may be embedded by pages of the same site, because the
  // client may run on another host of that site.
  void reply.headers({ etag, 'cache-control': 'private, max-age=31536000, immutable', 'cross-origin-resource-policy': 'same-site' });
  if (request.headers['if-none-match'] === etag) return await reply.code(304).send();
  return await reply.type('image/webp').send(image);
}
