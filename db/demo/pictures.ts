// Inserts the built-in pictures by product code (spec §3), for the demo's distributor only (contract §4), because other distributors may
// use the codes for any product. The pictures are stored like uploads, so that the distributor can replace and remove them.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run, type Db } from '../../src/server/database/db.ts';
import { ROOT } from '../../src/server/root.ts';
import { CATALOGUE } from './catalogue.ts';

interface CodeRange {
  readonly from: number;
  readonly to: number;
  readonly file: string;
}
const drawn = (from: number, to: number, file: string): CodeRange => ({ from, to, file });

const DRAWINGS: readonly CodeRange[] = [
  drawn(1001, 1099, 'beef'),
  drawn(1101, 1199, 'lamb'),
  drawn(1201, 1299, 'poultry'),
  drawn(1301, 1399, 'deli'),
  drawn(1401, 1499, 'fish'),
  drawn(1501, 1599, 'dairy-eggs'),
  drawn(1601, 1699, 'cheese'),
  drawn(1701, 1799, 'matzah'),
  drawn(1801, 1899, 'wine'),
  drawn(1901, 1999, 'produce'),
  drawn(2001, 2099, 'pantry'),
  drawn(2101, 2199, 'prepared'),
  drawn(2201, 2299, 'sweets'),
  drawn(2301, 2399, 'candles'),
];

/** Returns the path of the drawing for a product code; null when the code is unknown or missing. */
export function drawingOf(product_code: number | null): string | null {
  const range = DRAWINGS.find(({ from, to }) => product_code !== null && product_code >= from && product_code <= to);
  return range === undefined ? null : join('db/demo/pictures', `${range.file}.webp`);
}

const INSERT = `INSERT INTO product_images ("distributorId", product_code, image, hash, "updatedBy") SELECT $1, code, $3, $4, $1 FROM unnest($2::int[]) code`;

export async function insertPictures(db: Db, distributorId: number): Promise<void> {
  const codes = CATALOGUE.map(({ product_code }) => product_code);
  for (const [file, own] of Map.groupBy(codes, drawingOf)) {
    if (file === null) continue;
    const image = await readFile(join(ROOT, file));
    await run(db, INSERT, [distributorId, own, image, createHash('sha256').update(image).digest('hex')]);
  }
}
