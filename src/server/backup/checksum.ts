// Counts the rows of a table and computes their checksum. Writing and reading a backup use the same function.
import { createHash } from 'node:crypto';

export interface TableChecksum {
  readonly rows: number;
  /** The SHA-256 hash of the lines, in hexadecimal. */
  readonly checksum: string;
}

const NEWLINE = 10;

/**
 * Returns an object that counts rows and computes their checksum. Each line that COPY writes is one row, because COPY writes a line break
 * within a value as `\n`.
 */
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
