// Reduces the font files to the characters in use. The complete files are twice as large, and the browser renders headings only when their
// font is loaded.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const PACKAGES = join(import.meta.dirname, '../../node_modules/@fontsource-variable');
const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/feastday/fonts');

const span = (first: number, last: number): string =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, place) => first + place));
/**
 * The characters that the reduced font files keep. Other accented letters are composed of them; letters of other scripts are rendered in
 * the next font family of the stylesheet.
 */
const LATIN =
  span(0x20, 0x7e) +
  span(0xa0, 0xff) +
  span(0x2000, 0x206f) +
  '\u0131\u0152\u0153\u02bb\u02bc\u02c6\u02da\u02dc\u0300\u0301\u0303\u0304\u0308\u0309\u0323\u0329\u20ac\u2122\u2191\u2193\u2212\u2215';

/** The fonts, each with the ranges of its variation axes that the pages use. The heading font has one weight and sizes from 17 to 44 px. */
const FONTS = [
  {
    file: 'fraunces/files/fraunces-latin-opsz-normal.woff2',
    name: 'fraunces.woff2',
    axes: { wght: 560, opsz: { min: 17, max: 44, default: 17 } },
  },
  {
    file: 'source-sans-3/files/source-sans-3-latin-wght-normal.woff2',
    name: 'source-sans-3.woff2',
    axes: { wght: { min: 400, max: 700 } },
  },
];

/** Returns a Vite plugin that writes the reduced fonts and lets stylesheets import them from `@fonts/`. */
export function fonts(): Plugin {
  return {
    name: 'fonts',
    config: () => ({ resolve: { alias: { '@fonts': FOLDER } } }),
    async buildStart() {
      await mkdir(FOLDER, { recursive: true });
      for (const { file, name, axes } of FONTS) {
        const whole = await readFile(join(PACKAGES, file));
        const path = join(FOLDER, name);
        // Each build process first writes a file whose name contains its process id, so that concurrent builds do not write the same file.
        await writeFile(`${path}.${process.pid}`, await subsetFont(whole, LATIN, { targetFormat: 'woff2', variationAxes: axes }));
        await rename(`${path}.${process.pid}`, path);
      }
    },
  };
}
