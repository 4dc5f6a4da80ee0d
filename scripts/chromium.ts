// Finds the Chromium of the machine for the browser tests. If there is none, tries to install one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const HOW_TO_GET_ONE =
  'The browser tests need Chromium: install it (Debian or Ubuntu: "sudo apt-get install chromium"; macOS: Google Chrome) or set CHROME_PATH to a Chromium or Chrome you have.';

function find(): string | undefined {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)];
  return [...folders.flatMap((folder) => COMMANDS.map((command) => join(folder, command))), MAC].find((path) => existsSync(path));
}

function install(): void {
  const root = process.getuid?.() === 0;
  if (!existsSync('/usr/bin/apt-get') || (!root && spawnSync('sudo', ['-n', 'true']).status !== 0)) return;
  const asRoot = root ? ['env'] : ['sudo', '-n', 'env'];
  for (const step of [['update'], ['install', '-y', 'chromium']]) {
    const [command = 'env', ...rest] = [...asRoot, 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...step];
    spawnSync(command, rest, { stdio: ['ignore', 'inherit', 'inherit'] });
  }
}

/**
 * Returns the path of Chromium, which is installed first if necessary. If that fails, throws an error that says how to install Chromium.
 */
export function chromiumPath(): string {
  const wanted = process.env['CHROME_PATH'];
  if (wanted && !existsSync(wanted))
    throw new Error(`CHROME_PATH is ${wanted}, where no file is: set it to a Chromium, e.g. /usr/bin/chromium.`);
  if (!wanted && !find()) install();
  const path = wanted || find();
  if (!path) throw new Error(HOW_TO_GET_ONE);
  return path;
}

if (import.meta.main) {
  try {
    console.log(chromiumPath());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
