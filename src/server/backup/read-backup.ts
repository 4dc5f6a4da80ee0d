// Reads a backup in chunks. At most the longest row and one chunk are in memory at once.
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { BackupError } from './file-format.ts';

const AT_ONCE = 256 * 1024;
const NEWLINE = 10;
const END = Buffer.from('\\.\n');
const END_AFTER_A_LINE = Buffer.from('\n\\.\n');

export interface BackupReader {
  /** Returns the next line without its line break, or null at the end of the file. */
  readonly line: () => Promise<string | null>;
  /** Yields the lines before the end marker `\.`, and skips the marker. */
  readonly block: () => AsyncGenerator<Buffer>;
}

export function createBackupReader(source: AsyncIterable<Buffer>): BackupReader {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const take = (length: number): Buffer => {
    const taken = rest.subarray(0, length);
    rest = rest.subarray(length);
    return taken;
  };
  const more = async (): Promise<boolean> => {
    const { done, value } = await chunks.next();
    if (done === true) return false;
    rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
    return true;
  };

  async function line(): Promise<string | null> {
    while (!rest.includes(NEWLINE)) if (!(await more())) return rest.length > 0 ? take(rest.length).toString() : null;
    const read = take(rest.indexOf(NEWLINE)).toString();
    take(1);
    return read;
  }

  async function* block(): AsyncGenerator<Buffer> {
    for (;;) {
      if (rest.subarray(0, END.length).equals(END)) return void take(END.length);
      const end = rest.indexOf(END_AFTER_A_LINE);
      // Returns the lines only up to the last line break, because the rest of the chunk may be the beginning of the end marker.
      const length = (end >= 0 ? end : rest.lastIndexOf(NEWLINE)) + 1;
      if (length > 0) yield take(length);
      else if (!(await more())) throw new BackupError('The backup ends in the middle: nothing was restored.');
    }
  }

  return { line, block };
}

/**
 * Yields the uncompressed content of the file. Throws a BackupError with a message for the operator if the file cannot be read or is no
 * backup.
 */
export async function* decompressed(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: AT_ONCE });
  const gunzip = createGunzip({ chunkSize: AT_ONCE });
  file.once('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of file.pipe(gunzip)) yield chunk as Buffer;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw new BackupError('The backup ends in the middle: nothing was restored.');
    if (code.startsWith('Z_')) throw new BackupError(`${path} is damaged, or no backup of Feastday: nothing was restored.`);
    throw new BackupError(`${path} cannot be read (${message}): nothing was restored.`);
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}
