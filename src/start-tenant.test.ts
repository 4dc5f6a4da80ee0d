import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test.each([[[]], [['export', 'twelve', 'file.gz']], [['move', '12', 'file.gz']], [['import']], [['delete', '12']]])(
  'with the invalid arguments %j, npm run tenant explains its usage and opens no database (contract §18)',
  { tags: ['long'] },
  async (args) => {
    const folder = await mkdtemp(join(tmpdir(), 'feastday-tenant-'));
    const env = { ...process.env, DATA_DIR: join(folder, 'data') };
    const running = run(process.execPath, [join(import.meta.dirname, 'start-tenant.ts'), ...args], { env });
    await expect(running).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Which distributor, and which file\? Examples: /) as string,
    });
    await rm(folder, { recursive: true });
  },
);
