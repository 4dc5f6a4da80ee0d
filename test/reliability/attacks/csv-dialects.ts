// Reliability test R38: reads ten thousand products from files in the dialects of all common spreadsheet programs. The test also kills the
// server during an import, and then repeats the import.
import { isDeepStrictEqual } from 'node:util';
import type { Product, ProductFields } from '../../../src/features/products/contract.ts';
import { readProducts, type PlannedRow } from '../../../src/features/products/csv.ts';
import { asCsvBytes, catalogueRows, type FileDialect } from '../../fixtures/catalogue.ts';
import { openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { startProduct, type ProductResponse, type Product as Running } from '../setup/product.ts';
import { counted, type Outcome, type Setting } from '../reliability-test.ts';
import { createShop, type Shop } from '../setup/orders-and-customers.ts';

const ROWS = 10_000;
const READ_MS = 10_000;
const UPLOADED = 500;
const UPLOAD_MS = 10_000;
const STALL_MS = 100;
/** The number of requests that an import sends at the same time. The import dialog uses the same number. */
const AT_ONCE = 4;

const ENCODINGS = [
  { encoding: 'utf-8', bom: false },
  { encoding: 'utf-8', bom: true },
  { encoding: 'utf-16le', bom: true },
  { encoding: 'utf-16be', bom: true },
  { encoding: 'windows-1252', bom: false },
] as const;
const DIALECTS: FileDialect[] = ENCODINGS.flatMap((encoding) =>
  ([',', ';', '\t'] as const).flatMap((separator) =>
    (['\r\n', '\n', '\r'] as const).map((lineEnd) => ({ ...encoding, separator, lineEnd })),
  ),
);

function readAll(tell: Setting['tell']): { bytes: number; differing: number; slowest: number } {
  const rows = catalogueRows(ROWS, 2027);
  const seen = { bytes: 0, differing: 0, slowest: 0 };
  for (const dialect of DIALECTS) {
    const file = asCsvBytes(rows, dialect);
    const began = performance.now();
    const plan = readProducts(file, []);
    seen.slowest = Math.max(seen.slowest, performance.now() - began);
    seen.bytes += file.byteLength;
    const read = plan.rows.map((row) => (row.kind === 'add' ? row.fields : row));
    if (!isDeepStrictEqual(read, rows)) seen.differing += 1;
  }
  tell(`${counted(DIALECTS.length, 'dialects')} read, ${seen.differing} differ`);
  return seen;
}

interface UploadEndpoint {
  readonly product: Running;
  readonly shop: Shop;
}

const productsPath = ({ shop }: UploadEndpoint): string => `/api/distributions/${shop.distributionId}/products`;

async function stored(uploadEndpoint: UploadEndpoint): Promise<Product[]> {
  const { text } = await uploadEndpoint.product.ask({ path: productsPath(uploadEndpoint), cookie: uploadEndpoint.shop.distributor.cookie });
  return JSON.parse(text) as Product[];
}

/** Sends the rows of a file as the import dialog does, until all rows are sent or the server is killed. */
async function upload(
  uploadEndpoint: UploadEndpoint,
  file: Uint8Array,
  onSaved: (count: number) => void,
): Promise<{ saved: number; lost: number }> {
  const plan = readProducts(file, await stored(uploadEndpoint));
  const counts = { saved: 0, lost: 0 };
  const inTurn = plan.rows.values();
  const sendInTurn = async (): Promise<void> => {
    for (const row of inTurn) {
      if (row.kind !== 'add' && row.kind !== 'update') continue;
      const { status } = await sent(uploadEndpoint, row);
      if (status === 201 || status === 200) onSaved((counts.saved += 1));
      else counts.lost += 1;
      if (status === 0) return;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendInTurn));
  return counts;
}

function sent(uploadEndpoint: UploadEndpoint, row: Extract<PlannedRow, { kind: 'add' | 'update' }>): Promise<ProductResponse> {
  const cookie = uploadEndpoint.shop.distributor.cookie;
  if (row.kind === 'add')
    return uploadEndpoint.product.ask({ method: 'POST', path: productsPath(uploadEndpoint), cookie, body: row.fields });
  return uploadEndpoint.product.ask({
    method: 'PATCH',
    path: `${productsPath(uploadEndpoint)}/${row.product.id}`,
    cookie,
    body: row.fields,
  });
}

const doubles = (products: readonly Product[]): number => products.length - new Set(products.map(({ name }) => name)).size;

/** Kills the server at a random row during an import of new products, and repeats the import from the start. */
async function killedAmid(
  place: TestDatabase,
  uploadEndpoint: UploadEndpoint,
  round: number,
): Promise<{ uploadEndpoint: UploadEndpoint; doubles: number; missing: number }> {
  const rows = catalogueRows(UPLOADED, round).map((row): ProductFields => ({
    ...row,
    product_code: null,
    name: `${row.name} round ${round}`,
  }));
  const file = asCsvBytes(rows, { encoding: 'windows-1252', bom: false, separator: ';', lineEnd: '\r\n' });
  const at = 1 + Math.floor(Math.random() * (UPLOADED - 1));
  let dead: Promise<void> | undefined;
  await upload(uploadEndpoint, file, (count) => void (count === at && (dead = uploadEndpoint.product.kill())));
  await dead;
  const next = { ...uploadEndpoint, product: await startProduct(place) };
  await upload(next, file, () => undefined);
  const names = new Set((await stored(next)).map(({ name }) => name));
  return { uploadEndpoint: next, doubles: doubles(await stored(next)), missing: rows.filter(({ name }) => !names.has(name)).length };
}

async function uploadBeside(uploadEndpoint: UploadEndpoint): Promise<{ ms: number; stall: number; lost: number }> {
  const file = asCsvBytes(catalogueRows(UPLOADED, 99), { encoding: 'utf-8', bom: true, separator: ',', lineEnd: '\r\n' });
  const seen = { isDone: false, stall: 0 };
  const asking = (async (): Promise<void> => {
    while (!seen.isDone) {
      const { ms } = await uploadEndpoint.product.ask({ path: '/api/distributions', cookie: uploadEndpoint.shop.distributor.cookie });
      seen.stall = Math.max(seen.stall, ms);
    }
  })();
  const began = performance.now();
  const { lost } = await upload(uploadEndpoint, file, () => undefined);
  const ms = performance.now() - began;
  seen.isDone = true;
  await asking;
  return { ms, stall: Math.round(seen.stall), lost };
}

export async function csvDialects({ on, runs, tell }: Setting): Promise<Outcome> {
  const read = readAll(tell);
  const place = await openTestDatabase(on);
  let uploadEndpoint: UploadEndpoint = { product: await startProduct(place), shop: await createShop(place, 1, 1) };
  const beside = await uploadBeside(uploadEndpoint);
  const sum = { doubles: 0, missing: 0 };
  for (let round = 1; round <= runs(10); round++) {
    const one = await killedAmid(place, uploadEndpoint, round);
    uploadEndpoint = one.uploadEndpoint;
    sum.doubles += one.doubles;
    sum.missing += one.missing;
    tell(`killed amid an upload, run ${round}: ${sum.doubles} doubles, ${sum.missing} missing`);
  }
  await uploadEndpoint.product.stop();
  await place.close();
  const reading = `${counted(ROWS, 'rows')} in ${DIALECTS.length} dialects, ${Math.round(read.bytes / 1e6)} MB, ${read.differing} differ, slowest ${Math.round(read.slowest)} ms`;
  const uploading = `${UPLOADED} products in ${Math.round(beside.ms)} ms, longest stall ${beside.stall} ms, ${beside.lost} lost`;
  const line = `${reading}; ${uploading}; ${runs(10)} uploads killed and done again: ${sum.doubles} doubles, ${sum.missing} missing`;
  const isRight = read.differing + beside.lost + sum.doubles + sum.missing === 0;
  return { line, holds: isRight && read.slowest < READ_MS && beside.ms < UPLOAD_MS && beside.stall < STALL_MS };
}
