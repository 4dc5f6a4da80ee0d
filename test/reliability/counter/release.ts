// Builds a next release of the application in a separate folder. It differs from the current release only in one text of the pick-up
// counter screen.
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openFolder } from '../setup/databases.ts';
import { ROOT } from '../../../src/server/root.ts';

const LEFT_OUT = ['node_modules', 'dist', '.git', 'test', 'docs'];
const TEXTS = 'src/features/counter/texts.ts';
/** The beginning of the text that the pick-up counter screen shows while no family is selected. The new release changes this text. */
const BEFORE = "'Type a part of the name";
export const NEW_TEXT = 'In this release, type a part of the name';

/** Builds the release and returns its folder. */
export async function buildNextRelease(): Promise<string> {
  const { root } = await openFolder('feastday-next-');
  const names = (await readdir(ROOT)).filter((name) => !LEFT_OUT.includes(name));
  await Promise.all(names.map((name) => cp(join(ROOT, name), join(root, name), { recursive: true })));
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const texts = await readFile(join(root, TEXTS), 'utf8');
  if (!texts.includes(BEFORE)) throw new Error(`${TEXTS} has no ${BEFORE}`);
  await writeFile(join(root, TEXTS), texts.replace(BEFORE, `'${NEW_TEXT}`));
  for (const config of ['vite.server.config.ts', 'vite.config.ts']) {
    const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
    await promisify(execFile)(process.execPath, [vite, 'build', '--config', config, '--logLevel', 'warn'], { cwd: root });
  }
  return root;
}
