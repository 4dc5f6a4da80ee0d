// What a first visit loads, held to the budgets: 1 kB = 1000 bytes of gzip, JavaScript only.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';

const ENTRY = 'index.html';
const BUDGETS = [
  { page: 'sign-in', chunk: 'src/features/auth/auth-page.tsx', kilobytes: 125 },
  { page: "customer's order", chunk: 'src/features/orders/order-page.tsx', kilobytes: 150 },
  { page: "distributor's dashboard", chunk: 'src/screens/distributor-dashboard.tsx', kilobytes: 200 },
];

const Manifest = z.record(z.string(), z.object({ file: z.string(), imports: z.optional(z.array(z.string())) }));
const built = resolve(import.meta.dirname, '../dist/client');

function filesOf(manifest: z.infer<typeof Manifest>, name: string, seen = new Map<string, string>()): Map<string, string> {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`the build has no chunk ${name}`);
  if (seen.has(name)) return seen;
  seen.set(name, chunk.file);
  for (const part of chunk.imports ?? []) filesOf(manifest, part, seen);
  return seen;
}

function kilobytesOf(files: Iterable<string>): number {
  const scripts = [...new Set(files)].filter((file) => file.endsWith('.js'));
  return scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(built, file)), { level: 9 }).length, 0) / 1000;
}

function isWithin({ page, chunk, kilobytes }: (typeof BUDGETS)[number]): boolean {
  try {
    const manifest = Manifest.parse(JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8')));
    const files = filesOf(manifest, chunk, filesOf(manifest, ENTRY));
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
