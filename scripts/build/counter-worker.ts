// Builds the service worker of the counter with the list of the files that the counter needs to start without a network.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const ENTRY = resolve(import.meta.dirname, '../../src/start-counter-worker.ts');
/**
 * The modules that start the counter, or that the counter loads later. The service worker caches their chunks and all chunks that these
 * import.
 */
const MODULES = [
  'src/start-client.tsx',
  'src/features/counter/counter-page.tsx',
  'src/features/counter/offline-user.tsx',
  'src/features/counter/sign-out-question.tsx',
  'src/features/counter/waiting-entries.tsx',
  'src/features/counter/scanning/camera-reader.tsx',
  'node_modules/qr/decode.js',
  'src/features/counter/device/device-data.ts',
  // Without a network, the tills page cannot load the tills. With this script on the device, it can show its heading and a message.
  'src/features/tills/page/tills-page.tsx',
  'src/screens/load-error.tsx',
  'src/client/toasts/toaster.tsx',
];

function filesOf(bundle: Rolldown.OutputBundle): string[] {
  const found = new Set<string>();
  const add = (name: string): void => {
    const part = bundle[name];
    if (part?.type !== 'chunk' || found.has(name)) return;
    found.add(name);
    for (const file of [...(part.viteMetadata?.importedCss ?? []), ...(part.viteMetadata?.importedAssets ?? [])]) found.add(file);
    part.imports.forEach(add);
  };
  for (const module of MODULES) {
    const chunk = Object.values(bundle).find((part) => part.type === 'chunk' && part.moduleIds.some((id) => id.endsWith(module)));
    if (!chunk) throw new Error(`The build has no ${module}, which the counter needs without a network.`);
    add(chunk.fileName);
  }
  const fonts = Object.keys(bundle).filter((name) => name.endsWith('.woff2'));
  return [...found, ...fonts, ...Object.keys(bundle).filter((name) => /^assets\/index-.*\.css$/.test(name))];
}

export function counterWorker(): Plugin {
  return {
    name: 'counter-worker',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const page = createHash('sha256')
        .update(readFileSync(join(dir, 'index.html')))
        .digest('base64url');
      const files = [
        { url: '/index.html', revision: page },
        { url: '/favicon.svg', revision: page },
        ...[...new Set(filesOf(bundle))].toSorted().map((file) => ({ url: `/${file}`, revision: null })),
      ];
      await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        define: { COUNTER_FILES: JSON.stringify(files), 'process.env.NODE_ENV': '"production"' },
        build: {
          outDir: dir,
          emptyOutDir: false,
          target: 'es2022',
          lib: { entry: ENTRY, formats: ['iife'], name: 'counterWorker', fileName: () => 'counter-worker.js' },
        },
      });
      this.info(`${files.length} files for the counter without a network`);
    },
  };
}
