// Checks that the JavaScript loaded by a first visit stays below the budgets. Sizes are gzipped, in kB of 1000 bytes.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chunkFiles, Manifest } from '../../src/server/web/route-preloads.ts';

const ENTRY = 'index.html';
const BUDGETS = [
  { page: 'sign-in', chunk: 'src/features/auth/sign-in/auth-page.tsx', kilobytes: 125 },
  { page: "customer's order", chunk: 'src/features/orders/order-page/order-page.tsx', kilobytes: 150 },
  { page: "distributor's dashboard", chunk: 'src/screens/distributor-dashboard.tsx', kilobytes: 200 },
];

const built = resolve(import.meta.dirname, '../../dist/client');

function kilobytesOf(files: Iterable<string>): number {
  const scripts = [...new Set(files)].filter((file) => file.endsWith('.js'));
  return scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(built, file)), { level: 9 }).length, 0) / 1000;
}

function isWithin({ page, chunk, kilobytes }: (typeof BUDGETS)[number]): boolean {
  try {
    const manifest = Manifest.parse(JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8')));
    if (!manifest[chunk] || !manifest[ENTRY]) throw new Error(`the build has no chunk ${chunk}`);
    const files = chunkFiles(manifest, chunk, chunkFiles(manifest, ENTRY));
    const loaded = kilobytesOf(files.values());
    const fits = loaded <= kilobytes;
    console.log(`${page.padEnd(25)}${loaded.toFixed(1).padStart(7)} kB of ${kilobytes} kB${fits ? '' : '  TOO LARGE'}`);
    return fits;
  } catch (error) {
    console.log(`${page.padEnd(25)}cannot be measured: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

if (!BUDGETS.map(isWithin).every(Boolean)) process.exitCode = 1;
