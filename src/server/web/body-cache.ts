// Keeps compressed response bodies in memory. Each request reads the current version of its record from the database, and uses a cached
// body only if it was made for this version. Server processes therefore need not tell each other about changes.
import { brotliCompress, constants, gzip as gzipCompress } from 'node:zlib';
import { promisify } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../database/db.ts';
import { VersionedCache, type Version } from './versioned-cache.ts';

const compress = promisify(brotliCompress);
const compressGzip = promisify(gzipCompress);

const JSON_TYPE = 'application/json; charset=utf-8';

/** A response body with its compressed versions. The gzip version is for clients that do not accept Brotli. */
export class CachedBody {
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
  readonly type: string;
  private constructor(plain: Buffer, [br, gzip]: readonly [Buffer, Buffer], type: string) {
    this.plain = plain;
    this.br = br;
    this.gzip = gzip;
    this.type = type;
  }

  static async of(text: string, type: string, levels: { readonly br: number; readonly gzip: number }): Promise<CachedBody> {
    const plain = Buffer.from(text);
    const br = await compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: levels.br } });
    return new CachedBody(plain, [br, await compressGzip(plain, { level: levels.gzip })], type);
  }
}

/**
 * Compresses a body that never changes. The first request waits for this, so Brotli's highest quality (11) is not used: it takes 20 times as
 * long as quality 9, and saves less than a tenth.
 */
export const permanentBody = (text: string, type = JSON_TYPE): Promise<CachedBody> => CachedBody.of(text, type, { br: 9, gzip: 9 });

/** The length in bytes above which a body is compressed at quality 1. Quality 5 takes several times as long, and saves at most a tenth. */
const LONG_BODY = 1024 * 1024;

const prepare = (json: string, quality: number): Promise<CachedBody> =>
  CachedBody.of(json, JSON_TYPE, { br: Buffer.byteLength(json) > LONG_BODY ? 1 : quality, gzip: 1 });

export class VersionedBodyCache {
  readonly #bodies = new VersionedCache<CachedBody>(({ plain, br, gzip }) => plain.length + br.length + gzip.length);
  readonly #quality: number;
  /**
   * `quality` is the level of the compression. A higher level takes longer, so it is only worth its time for a body that many requests use.
   */
  constructor(quality: 1 | 5 = 5) {
    this.#quality = quality;
  }

  /** Returns the response body for this version of a record, or undefined if nobody has requested it yet. */
  known(db: Db, id: number, version: Version): Promise<CachedBody> | undefined {
    return this.#bodies.known(db, id, version);
  }

  /**
   * Returns the response body for a record. A body is created once per version. `make` must read data that are at least as new as
   * `version`, and return them as JSON.
   */
  get(db: Db, id: number, { version, make }: { version: Version; make: () => Promise<string> }): Promise<CachedBody> {
    return this.#bodies.get(db, id, { version, make: async () => prepare(await make(), this.#quality) });
  }
}

/** Whether the header Accept-Encoding allows this encoding, by its name or by `*`. A quality of 0 refuses an encoding. */
function acceptsEncoding({ headers }: FastifyRequest, encoding: string): boolean {
  const accepted = String(headers['accept-encoding'] ?? '').toLowerCase();
  const entries = accepted.split(',').map((entry) => entry.split(';').map((part) => part.trim()));
  const entry = entries.find(([name]) => name === encoding) ?? entries.find(([name]) => name === '*');
  return entry !== undefined && !entry.some((part) => /^q=0(\.0*)?$/.test(part));
}

export async function sendCachedBody(request: FastifyRequest, reply: FastifyReply, body: CachedBody): Promise<FastifyReply> {
  void reply.type(body.type).header('vary', 'accept-encoding');
  const encoding = (['br', 'gzip'] as const).find((name) => acceptsEncoding(request, name));
  if (encoding !== undefined) return await reply.header('content-encoding', encoding).send(body[encoding]);
  // Without this header, @fastify/compress, which reads Accept-Encoding differently, could compress the body again for each request.
  request.headers['x-no-compression'] = 'true';
  return await reply.send(body.plain);
}
