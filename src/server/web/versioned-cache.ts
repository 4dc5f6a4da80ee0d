// Keeps values in memory that were made from the data of a record. A value is used only for the version of the record for which it was made.
import type { Db } from '../database/db.ts';
import { asShared } from '../database/tenant-connections.ts';

const MAX_ENTRIES = 500;
/** The maximum number of bytes of all values of a cache together. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Identifies a record among the records of one cache. */
type Key = number | string;
/** Two values with the same version are equal. A larger number is a newer version. */
export type Version = number | string;

interface Entry<Value> {
  readonly version: Version;
  readonly value: Promise<Value>;
  /** The size of the value. 0 until the value is made. */
  bytes: number;
}

/** A slow request may arrive with an older version. Its value must not replace that of a newer version. */
const isOlder = (version: Version, known: Version): boolean => typeof version === 'number' && typeof known === 'number' && version < known;

export class VersionedCache<Value> {
  readonly #kept = new WeakMap<Db, Map<Key, Entry<Value>>>();
  readonly #bytesOf: (value: Value) => number;
  constructor(bytesOf: (value: Value) => number) {
    this.#bytesOf = bytesOf;
  }

  /** Returns the value for this version of a record, or undefined if nobody has requested it yet. */
  known(db: Db, id: Key, version: Version): Promise<Value> | undefined {
    const known = this.#of(db).get(id);
    return known?.version === version ? known.value : undefined;
  }

  /** Returns the value for a record. A value is made once per version. `make` must read data that are at least as new as `version`. */
  async get(db: Db, id: Key, { version, make }: { version: Version; make: () => Promise<Value> }): Promise<Value> {
    const kept = this.#of(db);
    const known = kept.get(id);
    if (known?.version === version) return await known.value;
    const value = asShared(make);
    if (!known || !isOlder(version, known.version)) this.#keep(kept, id, { version, value, bytes: 0 });
    return await value;
  }

  #keep(kept: Map<Key, Entry<Value>>, id: Key, fresh: Entry<Value>): void {
    kept.delete(id);
    kept.set(id, fresh);
    fresh.value.then(
      (value) => {
        fresh.bytes = this.#bytesOf(value);
        this.#removeOldest(kept);
      },
      () => kept.get(id) === fresh && kept.delete(id),
    );
  }

  #removeOldest(kept: Map<Key, Entry<Value>>): void {
    let bytes = [...kept.values()].reduce((sum, entry) => sum + entry.bytes, 0);
    for (const [id, entry] of kept) {
      if (kept.size <= MAX_ENTRIES && bytes <= MAX_BYTES) return;
      kept.delete(id);
      bytes -= entry.bytes;
    }
  }

  #of(db: Db): Map<Key, Entry<Value>> {
    const known = this.#kept.get(db) ?? new Map<Key, Entry<Value>>();
    this.#kept.set(db, known);
    return known;
  }
}
