import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { Button } from '../../client/ui/button.tsx';
import { Segments } from '../../client/ui/choices.tsx';
import { DialogFooter } from '../../client/ui/dialog.tsx';
import { Causes, columnNotes, FateCounts, FileNotes, FirstRows, type Fate, type PreviewedRow } from '../../client/ui/file-preview.tsx';
import { refreshReads, useSave } from '../../client/use-calls.ts';
import { counted } from '../../shared/counted.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { createUsers } from './contract.ts';
import type { CustomersPlan, PlannedCustomer } from './csv.ts';
import { importCustomers, type AddedRow } from './customer-import.tsx';
import { DROPPED, listedName } from './texts.ts';

const KINDS: Record<PlannedCustomer['kind'], Fate> = {
  add: { tone: 'good', word: 'New' },
  known: { tone: 'none', word: 'Known' },
  blank: { tone: 'none', word: 'No e-mail' },
  problem: { tone: 'bad', word: 'Problem' },
};
const INVITE = [
  { value: 'now', label: 'Invite now' },
  { value: 'later', label: 'Invite later' },
] as const;

export interface BulkCheckProps {
  fileName: string;
  plan: CustomersPlan;
  onBack: () => void;
}

/** The second step: what the file would do. Its button is the first that writes. */
export function BulkCheck({ fileName, plan, onBack }: BulkCheckProps): ReactNode {
  const [invite, setInvite] = useState<'now' | 'later'>('now');
  const { email: replyTo } = useUser();
  const client = useQueryClient();
  // Who is refused is told with all the others at the end, and the reads are refreshed once.
  const { save } = useSave(createUsers, { refresh: false, onError: () => {} });
  const rows = useMemo(() => plan.rows.filter((row): row is AddedRow => row.kind === 'add'), [plan]);
  const problems = useMemo(() => plan.rows.filter((row) => row.kind === 'problem'), [plan]);
  const { counts } = plan;
  const start = (): void => {
    void importCustomers({
      rows,
      problems,
      dropped: counts,
      isInvited: invite === 'now',
      send: (batch) => save({ params: { role: 'customer' }, body: { users: batch.map(({ user }) => user), replyTo, invite } }),
      refresh: () => void refreshReads(client),
    });
  };
  return (
    <div className="grid gap-4">
      <p className="text-s">
        <strong>{fileName}</strong> has {counted(plan.rows.length, 'row')}. Nothing is saved yet.
      </p>
      <FateCounts counts={(['add', 'known', 'blank', 'problem'] as const).map((kind) => ({ ...KINDS[kind], count: counts[kind] }))} />
      <FileNotes
        notes={[
          counts.known > 0 && `${counted(counts.known, 'row')} dropped: ${DROPPED.known}.`,
          counts.blank > 0 && `${counted(counts.blank, 'row')} dropped: ${DROPPED.blank}.`,
          ...plan.guessed.map(({ column, field }) => `The column ${column} is read as ${field}.`),
          ...columnNotes(plan),
        ]}
      />
      <Causes problems={problems} />
      <FirstRows rows={plan.rows} preview={previewOf} />
      {rows.length > 0 && (
        <div className="grid gap-2">
          <Segments label="Invitation" options={INVITE} value={invite} onValue={setInvite} />
          <p className="text-s text-ink-soft">
            {invite === 'now'
              ? 'Everybody new gets an e-mail with a link to set a password. Replies go to you.'
              : 'No e-mail goes out. Send the invitation later, from the menu of a row.'}
          </p>
        </div>
      )}
      <DialogFooter>
        <Button onClick={onBack}>Choose another file</Button>
        <Button variant="main" onClick={start}>
          {startLabel(rows.length, invite)}
        </Button>
      </DialogFooter>
    </div>
  );
}

function startLabel(n: number, invite: 'now' | 'later'): string {
  if (n === 0) return 'Finish';
  return invite === 'now' ? `Import and invite ${counted(n, 'customer')}` : `Import ${counted(n, 'customer')}`;
}

const previewOf = (row: PlannedCustomer): PreviewedRow => ({
  line: row.line,
  fate: KINDS[row.kind],
  title: row.cells['email'] || 'No e-mail address',
  text: becomes(row),
});

function becomes(row: PlannedCustomer): string {
  if (row.kind === 'problem') return row.reasons.join('; ');
  if (row.kind === 'known') return 'a customer already';
  if (row.kind === 'blank') return 'nothing to create';
  const { firstName, lastName, address, city, state, zip, phone } = row.user;
  const known = [listedName(firstName, lastName), address, city, `${state} ${zip}`.trim(), phone];
  return known.filter(Boolean).join(', ') || 'no name yet';
}
