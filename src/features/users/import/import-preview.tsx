import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { SegmentedControl } from '../../../client/ui/forms/choices.tsx';
import { CheckField } from '../../../client/ui/forms/field.tsx';
import { DialogFooter } from '../../../client/ui/overlays/dialog.tsx';
import {
  ErrorCauses,
  columnNotes,
  OutcomeCounts,
  FileNotes,
  FirstRows,
  type RowOutcome,
  type PreviewedRow,
} from '../../../client/ui/feedback/file-preview.tsx';
import { IN_A_LOOP, refreshReads, useSave } from '../../../client/api/use-calls.ts';
import { asProblem, type Problem } from '../../../shared/csv/problems.ts';
import { sortName } from '../../../shared/person-name.ts';
import { useUser } from '../../auth/auth-provider.tsx';
import { beginCustomerUpload } from '../../uploads/contract.ts';
import { createUsers } from '../contract.ts';
import { whyDropped, type CustomersPlan, type PlannedCustomer } from '../csv.ts';
import { importCustomers, type AddedRow } from './customer-import.ts';
import {
  CUSTOMER_ALREADY,
  droppedBlankText,
  droppedKnownText,
  ROW_OUTCOMES,
  FINISH,
  importAndInviteLabel,
  importLabel,
  INVITATION,
  INVITE_LATER,
  INVITE_LATER_MEANS,
  INVITE_NOW,
  INVITE_NOW_MEANS,
  NO_ADDRESS,
  NO_NAME_YET,
  NOTHING_TO_CREATE,
  nothingSavedText,
  readAsText,
  WITHOUT_EMAIL_MEANS,
  withoutEmailLabel,
} from '../texts.ts';
import { ANOTHER_FILE, briefText } from '../../../client/texts.ts';

const KINDS: Record<PlannedCustomer['kind'], RowOutcome> = {
  add: { tone: 'good', word: ROW_OUTCOMES.add },
  known: { tone: 'none', word: ROW_OUTCOMES.known },
  blank: { tone: 'none', word: ROW_OUTCOMES.blank },
  problem: { tone: 'bad', word: ROW_OUTCOMES.problem },
};
const INVITE = [
  { value: 'now', label: INVITE_NOW },
  { value: 'later', label: INVITE_LATER },
] as const;

/** The second step of the import shows the preview. Nothing is saved before the user presses the button of this step. */
export function ImportPreview({ fileName, plan, onBack }: { fileName: string; plan: CustomersPlan; onBack: () => void }): ReactNode {
  const [invite, setInvite] = useState<'now' | 'later'>('now');
  const { email: replyTo } = useUser();
  const client = useQueryClient();
  const { save } = useSave(createUsers, IN_A_LOOP);
  const beginning = useSave(beginCustomerUpload, IN_A_LOOP);
  // By default, rows without an e-mail address are dropped (spec §5). The user may choose to import them.
  const [takesBlank, setTakesBlank] = useState(false);
  const named = useMemo(
    () => plan.rows.flatMap((row) => (row.kind === 'blank' && row.user ? [{ ...row, kind: 'add' as const, user: row.user }] : [])),
    [plan],
  );
  const rows = useMemo(() => {
    const added = plan.rows.filter((row): row is AddedRow => row.kind === 'add');
    return takesBlank ? [...added, ...named].toSorted((a, b) => a.line - b.line) : added;
  }, [plan, named, takesBlank]);
  const problems = useMemo(() => plan.rows.filter((row) => row.kind === 'problem'), [plan]);
  const { counts } = plan;
  const blank = counts.blank - (takesBlank ? named.length : 0);
  const start = (): void => {
    let uploadId: number | undefined;
    void importCustomers({
      rows,
      problems,
      dropped: droppedOf(plan, rows),
      isInvited: invite === 'now',
      // This call begins an upload, which can be undone later. If the call fails, the import still works, but cannot be undone.
      begin: async () => {
        const begun = rows.length > 0 ? await beginning.save({}) : null;
        if (begun?.ok) uploadId = begun.reply.id;
      },
      send: (batch) => save({ params: { role: 'customer' }, body: { users: batch.map(({ user }) => user), replyTo, invite, uploadId } }),
      refresh: () => void refreshReads(client),
    });
  };
  return (
    <div className="grid gap-4">
      <p className="text-s">
        <strong className="block text-m">{fileName}</strong>
        {nothingSavedText(plan.rows.length)}
      </p>
      <OutcomeCounts counts={(['add', 'known', 'blank', 'problem'] as const).map((kind) => ({ ...KINDS[kind], count: counts[kind] }))} />
      <FileNotes
        notes={[
          counts.known > 0 && droppedKnownText(counts.known),
          blank > 0 && droppedBlankText(blank),
          ...plan.guessed.map(({ column, field }) => readAsText(column, field)),
          ...columnNotes(plan),
        ]}
      />
      {named.length > 0 && (
        <CheckField
          label={withoutEmailLabel(named.length)}
          hint={WITHOUT_EMAIL_MEANS}
          checked={takesBlank}
          onChange={(event) => setTakesBlank(event.target.checked)}
        />
      )}
      <ErrorCauses problems={problems} />
      <FirstRows rows={plan.rows} preview={previewOf} />
      {rows.length > 0 && (
        <div className="grid gap-2">
          <SegmentedControl label={INVITATION} options={INVITE} value={invite} onValue={setInvite} />
          <p className="text-s text-ink-soft">{invite === 'now' ? INVITE_NOW_MEANS : INVITE_LATER_MEANS}</p>
        </div>
      )}
      <DialogFooter>
        <Button onClick={onBack}>{ANOTHER_FILE}</Button>
        <Button variant="main" onClick={start}>
          {startLabel(rows, invite)}
        </Button>
      </DialogFooter>
    </div>
  );
}

/** Returns the rows that are valid but not sent, with the reason for each. */
function droppedOf({ rows }: CustomersPlan, sent: readonly AddedRow[]): Problem[] {
  const lines = new Set(sent.map(({ line }) => line));
  return rows.flatMap((row) => {
    const reason = whyDropped(row);
    return reason === null || lines.has(row.line) ? [] : [asProblem(row, reason)];
  });
}

function startLabel(rows: readonly AddedRow[], invite: 'now' | 'later'): string {
  if (rows.length === 0) return FINISH;
  const invited = invite === 'now' ? rows.filter(({ user }) => user.email).length : 0;
  return invited > 0 ? importAndInviteLabel(rows.length, invited) : importLabel(rows.length);
}

const previewOf = (row: PlannedCustomer): PreviewedRow => ({
  line: row.line,
  fate: KINDS[row.kind],
  title: row.cells['email'] || sortName(row.cells['firstName'] ?? null, row.cells['lastName'] ?? null) || NO_ADDRESS,
  text: becomes(row),
});

function becomes(row: PlannedCustomer): string {
  if (row.kind === 'problem') return row.reasons.join('; ');
  if (row.kind === 'known') return CUSTOMER_ALREADY;
  if (row.kind === 'blank') return row.user ? NO_ADDRESS : NOTHING_TO_CREATE;
  const { firstName, lastName, address, city, state, zip, phone } = row.user;
  const known = [sortName(firstName, lastName), address, city, `${state} ${zip}`.trim(), phone];
  return known.filter(Boolean).map(briefText).join(', ') || NO_NAME_YET;
}
