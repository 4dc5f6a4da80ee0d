// Keeps compressed response bodies in memory. Each request reads the current version of its record from the database, and uses a cached
// body only if it was made for this version. Server processes therefore need not tell each other about changes.
import { brotliCompress, constants } from 'node:zlib';
import { promisify } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../database/db.ts';

const compress = promisify(brotliCompress);
const MAX_ENTRIES = 500;

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
    if (!known || known.version < version) this.#keep(kept, id, { version, body });
    return await body;
  }

  #keep(kept: Map<number, CacheEntry>, id: number, fresh: CacheEntry): void {
    const [oldest] = kept.keys();
    if (kept.size >= MAX_ENTRIES && oldest !== undefined) kept.delete(oldest);
    kept.set(id, fresh);
    void fresh.body.catch(() => kept.get(id) === fresh && kept.delete(id));
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
