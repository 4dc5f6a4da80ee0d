// Runs wapiti with the session of one role. Returns the number of visited pages and wapiti's findings.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** This list contains all modules of wapiti except those that contact other machines, guess names and passwords, or download lists. */
const MODULES =
  'backup,blindsql,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,xss';
const BOUNDED = ['--max-scan-time', '60', '--max-attack-time', '30', '-t', '10', '--no-bugreport'];

interface Finding {
  readonly method: string;
  readonly path: string;
  readonly info: string;
}
type Findings = Readonly<Record<string, readonly Finding[]>>;
interface Report {
  readonly vulnerabilities: Findings;
  readonly anomalies: Findings;
}

export interface Crawl {
  readonly url: string;
  readonly cookie: string;
  /** The URLs with which the crawl starts. */
  readonly paths: readonly string[];
  /** The folder into which wapiti writes its report and its session. */
  readonly folder: string;
}

export interface Crawled {
  readonly pages: number;
  readonly findings: readonly string[];
}

/**
 * Returns whether a finding is not a problem. wapiti reports that the header X-XSS-Protection is missing, but browsers no longer support
 * this header, because attackers could misuse it.
 */
const isInformational = (info: string): boolean => info === 'X-XSS-Protection is not set';

export async function crawled({ url, cookie, paths, folder }: Crawl): Promise<Crawled> {
  const own = await mkdtemp(join(folder, 'wapiti-'));
  const [report, starts] = [join(own, 'report.json'), paths.flatMap((path) => ['-s', `${url}${path}`])];
  const kept = ['--flush-session', '--store-session', join(own, 'sessions'), '--store-config', join(own, 'settings')];
  const args = ['-u', `${url}/`, ...starts, '-H', `Cookie: ${cookie}`, '-m', MODULES, '-f', 'json', '-o', report, '-v', '1'];
  const child = spawn('wapiti', [...args, ...kept, ...BOUNDED], { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  const pages = new Set(said.match(/^\[\+\] (?:GET|POST) \S+/gm)).size;
  const { vulnerabilities, anomalies } = JSON.parse(await readFile(report, 'utf8')) as Report;
  const found = [vulnerabilities, anomalies].flatMap((kind) => Object.values(kind).flat());
  const worse = found.filter(({ info }) => !isInformational(info));
  return { pages, findings: worse.map(({ method, path, info }) => `wapiti: ${method} ${path}: ${info}`) };
}
