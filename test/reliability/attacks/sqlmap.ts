// Runs sqlmap on one target and returns what it found.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { MARK, type Target } from './attack-targets.ts';

/** The time limit for one target in milliseconds. If sqlmap takes longer, the target is reported as not judged to the end. */
const MAX_MS = 180_000;
const THOROUGH = ['--risk=3', '--dbms=postgresql', '--time-sec=3'];
const QUIET = ['--batch', '--flush-session', '--disable-coloring', '--skip-waf', '--retries=0', '--timeout=10', '--ignore-code=*'];
/**
 * The option with which sqlmap leaves the session cookie alone. The cookie is a target of its own, so it need not be attacked in every
 * call.
 */
const NOT_AGAIN = ['--param-exclude=sid'];

export interface Judged {
  readonly target: string;
  readonly parameters: number;
  readonly findings: readonly string[];
}

const CLEAN = /parameter '.+' does not seem to be injectable/g;
/** Matches the findings in sqlmap's output: injectable parameters, other possible vulnerabilities, and server errors. */
const FOUND = /^(?:Parameter: .+|.*(?:is vulnerable|might be vulnerable).*|.*\b5\d\d \([^)]+\) - \d+ times.*)$/gm;
const PARAMETER = 'Parameter: ';
/**
 * Matches the number of 401 responses in sqlmap's output. They mean that the session has ended, so that the attacks did not reach the code
 * behind the call.
 */
const SIGNED_OUT = /401 \(Unauthorized\) - \d+ times/;
const AT_ITS_END = /all tested parameters do not appear to be injectable|identified the following injection point/;

export async function attacked(target: Target, url: string, folder: string): Promise<Judged> {
  const { name, method, path, cookie, body, level } = target;
  const headers = [...target.headers, ...(body === null ? [] : ['Content-Type: application/json'])].map((header) => `--header=${header}`);
  const sent = [...(cookie === null ? [] : [`--cookie=${cookie}`]), ...(body === null ? [] : [`--data=${JSON.stringify(body)}`])];
  const asked = ['-u', `${url}${path}`, `--method=${method}`, `--level=${level}`, ...headers, ...sent];
  const args = [...asked, ...THOROUGH, ...QUIET, ...NOT_AGAIN, `--output-dir=${folder}`];
  const child = spawn('sqlmap', args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: MAX_MS });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  const found = [...new Set(said.match(FOUND) ?? [])];
  const isSignedOut = cookie !== null && !cookie.endsWith(MARK) && SIGNED_OUT.test(said);
  const undone = AT_ITS_END.test(said) ? [] : [`not judged to the end: ${said.trim().split('\n').at(-1) ?? ''}`];
  const lines = [...found, ...undone, ...(isSignedOut ? ['signed out on the way'] : [])];
  return {
    target: name,
    parameters: (said.match(CLEAN) ?? []).length + found.filter((line) => line.startsWith(PARAMETER)).length,
    findings: lines.map((line) => `${name}: ${line}`),
  };
}
