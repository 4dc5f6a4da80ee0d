// Writes compressed versions beside each built file, so that the server need not compress files at run time.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(?:js|css|html|svg)$/;
const smallest = {
  br: (source: Buffer) => promisify(brotliCompress)(source, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: source.length } }),
  gz: (source: Buffer) => promisify(gzip)(source, { level: constants.Z_BEST_COMPRESSION }),
};

export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => COMPRESSIBLE.test(name));
      const written = names.flatMap((name) => {
        const source = readFileSync(join(dir, name));
        return Object.entries(smallest).map(async ([end, compress]) => writeFile(join(dir, `${name}.${end}`), await compress(source)));
      });
      await Promise.all(written);
    },
  };
}
