import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';
import { CHUNKS } from './scripts/build/chunks.ts';
import { counterWorker } from './scripts/build/counter-worker.ts';
import { stampBuild } from './scripts/build/build-inputs.ts';
import { loadingShell } from './scripts/build/loading-shell.ts';
import { fonts } from './scripts/build/fonts.ts';
import { languages } from './scripts/build/languages.ts';
import { stripServerFields } from './scripts/build/strip-server-fields.ts';
import { precompress } from './scripts/build/precompress.ts';

const TINYMCE = resolve(import.meta.dirname, 'node_modules/tinymce');
const SKINS = ['oxide', 'oxide-dark'].flatMap((skin) => [`skins/ui/${skin}/skin.min.css`, `skins/ui/${skin}/content.min.css`]);
const PLUGINS = ['autolink', 'link', 'lists'].map((plugin) => `plugins/${plugin}/plugin.min.js`);
/** The mail editor needs only these files of the TinyMCE package. The whole package is ten times as large. */
const TINYMCE_FILES = [
  'tinymce.min.js',
  'icons/default/icons.min.js',
  'models/dom/model.min.js',
  'themes/silver/theme.min.js',
  ...SKINS,
  ...PLUGINS,
  'license.md',
];

/**
 * Serves TinyMCE under the local path /tinymce (spec §9). TinyMCE must not be part of the bundle, because its license differs from that of
 * the application (NOTICE).
 */
function tinymce(): Plugin {
  return {
    name: 'tinymce',
    configureServer({ middlewares }) {
      middlewares.use('/tinymce', (request, response, next) => {
        const file = TINYMCE_FILES.find((name) => `/${name}` === request.url?.split('?')[0]);
        if (file === undefined) return next();
        response.setHeader('content-type', file.endsWith('.css') ? 'text/css' : 'text/javascript');
        response.end(readFileSync(join(TINYMCE, file)));
      });
    },
    generateBundle() {
      let bytes = 0;
      for (const name of TINYMCE_FILES) {
        const source = readFileSync(join(TINYMCE, name));
        bytes += source.length;
        this.emitFile({ type: 'asset', fileName: `tinymce/${name}`, source });
      }
      this.info(`${TINYMCE_FILES.length} files, ${Math.round(bytes / 1000)} kB under /tinymce`);
    },
  };
}

const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, 'package.json'), 'utf8')) as { version: string };
const server = { target: `http://127.0.0.1:${process.env['PORT'] ?? 3000}`, changeOrigin: false };

export default defineConfig({
  define: { 'import.meta.env.VITE_VERSION': JSON.stringify(version) },
  plugins: [
    stripServerFields(),
    languages(),
    fonts(),
    react(),
    tailwindcss(),
    tinymce(),
    loadingShell(),
    precompress(),
    counterWorker(),
    stampBuild(),
  ],
  publicDir: 'public',
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    sourcemap: false,
    // Assets are never inlined, because the page's content security policy forbids inline scripts and fonts in data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // `inlineConst` bundles each UI text with the screens that use it. Otherwise, every screen that uses one text would contain the whole
    // catalogue of texts.
    rolldownOptions: {
      // The second entry has no tag in index.html. The server adds the tag when it serves the page (server/web/route-preloads.ts).
      input: ['index.html', 'src/client/api/prefetch.ts'],
      output: { codeSplitting: { groups: CHUNKS } },
      optimization: { inlineConst: { mode: 'all', pass: 3 } },
    },
  },
  server: { proxy: { '/api': server, '/source': server } },
});
