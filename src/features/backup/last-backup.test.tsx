import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Call } from '../../client/api/fetch.ts';
import { CallContext, makeQueryClient } from '../../client/api/use-calls.ts';
import type { Backup } from './contract.ts';
import { LastBackup } from './last-backup.tsx';
import { MINUTE } from '../../domain/durations.ts';

afterEach(cleanup);

const GOOD: Backup = {
  finishedAt: null,
  bytes: 2_143_000,
  kept: 14,
  everyHours: 24,
  error: null,
  isCopied: false,
  copiedAt: null,
  copyError: null,
  drillDays: 7,
  drilledAt: null,
  drillRows: null,
  drillError: null,
};
const ago = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString();

function show(values: Partial<Backup>): void {
  const call = (async () => ({ ...GOOD, ...values })) as Call;
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <CallContext value={call}>
        <LastBackup />
      </CallContext>
    </QueryClientProvider>,
  );
}

test.each<[number, number, string]>([
  [0, 800, 'Last backup just now, 1 kB; 14 are kept.'],
  [1, 83_121, 'Last backup 1 minute ago, 84 kB; 14 are kept.'],
  [3 * 60 + 5, 2_143_000, 'Last backup 3 hours ago, 2.1 MB; 14 are kept.'],
  [47 * 60, 2_143_000, 'Last backup 47 hours ago, 2.1 MB; 14 are kept.'],
])(
  "the admin's page describes in one line, without a warning, a backup that is %i minutes old and has %i bytes",
  async (minutes, bytes, text) => {
    show({ finishedAt: ago(minutes), bytes });
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByRole('note')).toBeNull();
  },
);

test.each<[string, Partial<Backup>, string[]]>([
  [
    'older than twice the time between two',
    { finishedAt: ago(49 * 60), kept: 1 },
    ['Last backup 2 days ago, 2.1 MB; 1 is kept.', 'That is longer ago than it should be. Look at the log of the server.'],
  ],
  [
    'the disk was full',
    { finishedAt: ago(60), error: 'full' },
    [
      'Last backup 1 hour ago, 2.1 MB; 14 are kept.',
      'The next one could not be made: the disk is full. It is tried again within the hour.',
    ],
  ],
  [
    'the folder is closed',
    { error: 'denied' },
    [
      'No backup yet. The first one is made a minute or two after the start.',
      'The next one could not be made: the server may not write into its folder. It is tried again within the hour.',
    ],
  ],
  [
    'something else',
    { finishedAt: ago(60), error: 'other' },
    ['The next one could not be made; the log of the server says why. It is tried again within the hour.'],
  ],
])('the admin\'s page warns of the backup problem "%s"', async (_, values, texts) => {
  show(values);
  const note = await screen.findByRole('note');
  for (const text of texts) expect(note.textContent).toContain(text);
});

test("when this server keeps no automatic backups, the admin's page shows only the age and size of the last backup, not the number that is kept", async () => {
  show({ finishedAt: ago(3 * 60), kept: 0 });
  expect(await screen.findByText('Last backup 3 hours ago, 2.1 MB.')).toBeTruthy();
});

test("the admin's page says that there is no backup yet, or that backups are switched off", async () => {
  show({});
  expect(await screen.findByText('No backup yet. The first one is made a minute or two after the start.')).toBeTruthy();
  cleanup();
  show({ everyHours: 0, error: 'full' });
  expect(await screen.findByText('This server makes no automatic backups. Run npm run backup every night.')).toBeTruthy();
  expect(screen.queryByText(/tried again/)).toBeNull();
  cleanup();
  show({ everyHours: 0, finishedAt: ago(3 * 60) });
  expect(await screen.findByText('Last backup 3 hours ago, 2.1 MB; this server makes no automatic backups.')).toBeTruthy();
});

test("the admin's page states when a backup was last copied to another place and when a restore was last tested (contract §18)", async () => {
  show({ finishedAt: ago(60), isCopied: true });
  expect(await screen.findByText('Last backup 1 hour ago, 2.1 MB; 14 are kept. Not copied to another place yet.')).toBeTruthy();
  cleanup();
  show({ finishedAt: ago(60), isCopied: true, copiedAt: ago(59), drilledAt: ago(3 * 24 * 60), drillRows: 51_204 });
  const drilled = 'Restored on trial 3 days ago: 51,204 rows and all sums were the same.';
  expect(
    await screen.findByText(`Last backup 1 hour ago, 2.1 MB; 14 are kept. Copied to another place 59 minutes ago. ${drilled}`),
  ).toBeTruthy();
});

test("the admin's page warns when copying a backup to another place or the test of a restore has failed (contract §18)", async () => {
  show({ finishedAt: ago(60), isCopied: true, copyError: 'failed', drillError: 'differs' });
  const { textContent } = await screen.findByRole('note');
  expect(textContent).toContain('The last backup could not be copied to another place; the log of the server says why.');
  expect(textContent).toContain('The newest backup could not be restored on trial as it was.');
});
