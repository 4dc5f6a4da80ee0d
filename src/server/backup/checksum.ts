// Counts rows and computes their checksum, in the same way for writing and reading.
import { createHash } from 'node:crypto';

export interface TableChecksum {
  readonly rows: number;
  /** SHA-256 of the lines, hexadecimal. */
  readonly checksum: string;
}

const NEWLINE = 10;

/** A line break within a value is written as `\n`, so that each line is one row. */
export function createTableChecksum(): { add: (chunk: Buffer) => void; end: () => TableChecksum } {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    add(chunk) {
      hash.update(chunk);
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) rows += 1;
    },
    end: () => ({ rows, checksum: hash.digest('hex') }),
  };
}

export const isSameChecksum = (one: TableChecksum, other: TableChecksum | undefined): boolean =>
  one.rows === other?.rows && one.checksum === other.checksum;
