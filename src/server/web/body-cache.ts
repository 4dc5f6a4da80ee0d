// Keeps compressed response bodies in memory. Each request reads the current version of its record from the database, and uses a cached
// body only if it was made for this version. Server processes therefore need not tell each other about changes.
import { brotliCompress, constants } from 'node:zlib';
import { promisify } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../database/db.ts';

const compress = promisify(brotliCompress);
const MAX_ENTRIES = 500;
/** The maximum number of bytes of all bodies together. */
const MAX_BYTES = 64 * 1024 * 1024;

export class CachedBody {
  readonly version: number;
  readonly plain: Buffer;
  readonly br: Buffer;
  constructor(version: number, plain: Buffer, br: Buffer) {
    this.version = version;
    this.plain = plain;
    this.br = br;
  }
}

interface CacheEntry {
  readonly version: number;
  readonly body: Promise<CachedBody>;
  /** The size of the body. 0 until the body is made. */
  bytes: number;
}

async function prepare(version: number, make: () => Promise<unknown>): Promise<CachedBody> {
  const plain = Buffer.from(JSON.stringify(await make()));
  const br = await compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return new CachedBody(version, plain, br);
}

export class VersionedBodyCache {
  readonly #kept = new WeakMap<Db, Map<number, CacheEntry>>();

  /**
   * Returns the response body for a record. A body is created once per version. `make` must read data that are at least as new as
   * `version`.
   */
  async get(db: Db, id: number, { version, make }: { version: number; make: () => Promise<unknown> }): Promise<CachedBody> {
    const kept = this.#of(db);
    const known = kept.get(id);
    if (known?.version === version) return await known.body;
    const body = prepare(version, make);
    // A slow request may arrive here with an older version. It must not replace the body of a newer version.
    if (!known || known.version < version) this.#keep(kept, id, { version, body, bytes: 0 });
    return await body;
  }

  #keep(kept: Map<number, CacheEntry>, id: number, fresh: CacheEntry): void {
    kept.delete(id);
    kept.set(id, fresh);
    fresh.body.then(
      ({ plain, br }) => {
        fresh.bytes = plain.length + br.length;
        this.#removeOldest(kept);
      },
      () => kept.get(id) === fresh && kept.delete(id),
    );
  }

  #removeOldest(kept: Map<number, CacheEntry>): void {
    let bytes = [...kept.values()].reduce((sum, entry) => sum + entry.bytes, 0);
    for (const [id, entry] of kept) {
      if (kept.size <= MAX_ENTRIES && bytes <= MAX_BYTES) return;
      kept.delete(id);
      bytes -= entry.bytes;
    }
  }

  #of(db: Db): Map<number, CacheEntry> {
    const known = this.#kept.get(db) ?? new Map<number, CacheEntry>();
    this.#kept.set(db, known);
    return known;
  }
}

export async function sendCachedBody(request: FastifyRequest, reply: FastifyReply, body: CachedBody): Promise<FastifyReply> {
  void reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding');
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(request.headers['accept-encoding'] ?? ''))
    return await reply.header('content-encoding', 'br').send(body.br);
  return await reply.send(body.plain);
}
