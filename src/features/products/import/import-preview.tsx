import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { DialogFooter } from '../../../client/ui/overlays/dialog.tsx';
import { CheckField } from '../../../client/ui/forms/field.tsx';
import { ErrorCauses, FirstRows } from '../../../client/ui/feedback/file-preview.tsx';
import { Warning } from '../../../client/ui/feedback/warning.tsx';
import { IN_A_LOOP, refreshReads, useSave } from '../../../client/api/use-calls.ts';
import { FAILED_FILE } from '../../../shared/csv/problems.ts';
import { RepriceDialog, useRepriceDialog } from '../../catalogue/reprice-dialog.tsx';
import { changeDistribution, type Distribution } from '../../distributions/contract.ts';
import { beginProductUpload, finishProductUpload } from '../../uploads/contract.ts';
import { addProduct, changeProduct } from '../contract.ts';
import {
  changeOf,
  groupsInOrder,
  linesSoldOtherwise,
  linesWithLowLimit,
  linesWithoutPrice,
  writtenTerms,
  type ProductsPlan,
} from '../csv.ts';
import { downloadFailed, importProducts, type ChangedRow } from './product-import.ts';
import {} from '../texts.ts';
import {
  addText,
  FREE_TITLE,
  freeText,
  NOTHING_TO_SAVE,
  nothingSavedYetText,
  saveText,
  SOLD_OTHERWISE_TITLE,
  soldOtherwiseText,
  updateText,
  LIMITS_BELOW_TITLE,
  limitsBelowText,
} from './texts.ts';
import { ImportCounts, ImportNotes, previewOf } from './import-summary.tsx';
import { ANOTHER_FILE, downloadText } from '../../../client/texts.ts';

/**
 * Adds a row of an import, without an idempotency key. With a key, the server would run each row in a transaction of its own and store its
 * reply, instead of adding several rows in one statement.
 */
const addRow = { ...addProduct, idempotent: false };

interface ImportPreviewProps {
  distribution: Distribution;
  /** Whether the distribution has no products yet. If so, its groups are sorted as in the file. */
  isFirst: boolean;
  fileName: string;
  plan: ProductsPlan;
  onBack: () => void;
}

/** The second step of an import, the preview. Its button starts the import. Before that, nothing is written. */
export function ImportPreview({ distribution, isFirst, fileName, plan, onBack }: ImportPreviewProps): ReactNode {
  const { id: distributionId, groupOrder } = distribution;
  const [wanted, setWanted] = useState({ add: true, update: true });
  const adding = useSave(addRow, IN_A_LOOP);
  const changing = useSave(changeProduct, IN_A_LOOP);
  const ordering = useSave(changeDistribution, IN_A_LOOP);
  const beginning = useSave(beginProductUpload, IN_A_LOOP);
  const finishing = useSave(finishProductUpload, IN_A_LOOP);
  const client = useQueryClient();
  const { counts } = plan;
  const rows = useMemo(
    () => plan.rows.filter((row) => (row.kind === 'add' || row.kind === 'update') && wanted[row.kind]),
    [plan, wanted],
  ) as ChangedRow[];
  const problems = useMemo(() => plan.rows.filter((row) => row.kind === 'problem'), [plan]);
  // The preview lists only rows that would change something or cannot be read.
  const changedRows = useMemo(() => plan.rows.filter((row) => row.kind !== 'unchanged'), [plan]);
  const warnings = useMemo(() => warningsOf(rows), [rows]);
  const question = useRepriceDialog(distributionId);
  const start = (): void => {
    let upload: { uploadId?: number } = {};
    let isAnySaved = false;
    void importProducts({
      distributionId,
      rows,
      problems,
      // This call begins an upload that can be undone. If the call fails, the products are still imported, but the import cannot be undone.
      begin: async () => {
        const begun = await beginning.save({ params: { id: distributionId } });
        if (begun.ok) upload = { uploadId: begun.reply.id };
      },
      save: async (row) => {
        const saved = await (row.kind === 'add'
          ? adding.save({ params: { id: distributionId }, body: { ...row.fields, distributionId, ...upload } })
          : changing.save({
              params: { id: distributionId, productId: row.product.id },
              body: { ...changeOf(row), id: row.product.id, ...upload },
            }));
        isAnySaved ||= saved.ok;
        return saved;
      },
      finish: async () => {
        const { uploadId } = upload;
        if (uploadId !== undefined && isAnySaved) await finishing.save({ params: { id: distributionId, uploadId } });
        const groups = groupsInOrder(rows);
        if (isFirst && groupOrder === null && groups.length > 0)
          await ordering.save({ params: { id: distributionId }, body: { groupOrder: groups, before: { groupOrder } } });
        void refreshReads(client);
      },
    });
  };
  const ask = async (): Promise<void> => {
    const products = writtenTerms(rows);
    if (products.length === 0 || (await question.mayChange({ products }))) start();
  };
  return (
    <div className="grid gap-4">
      <p className="text-s wrap-anywhere">{nothingSavedYetText(fileName, plan.rows.length)}</p>
      <ImportCounts counts={counts} />
      <ImportNotes plan={plan} />
      <ErrorCauses problems={problems} />
      {warnings.map(({ title, text }) => (
        <Warning key={title} title={title} className="gap-3 rounded-card border border-wait/50 bg-wait-soft px-3.5 py-2.5 text-s text-wait">
          <p>{text}</p>
        </Warning>
      ))}
      <div className="flex flex-wrap gap-x-6">
        {(['add', 'update'] as const).map(
          (kind) =>
            counts[kind] > 0 && (
              <CheckField
                key={kind}
                label={kind === 'add' ? addText(counts.add) : updateText(counts.update)}
                checked={wanted[kind]}
                onChange={(event) => setWanted({ ...wanted, [kind]: event.target.checked })}
              />
            ),
        )}
      </div>
      <FirstRows rows={changedRows} preview={previewOf} />
      <DialogFooter>
        {problems.length > 0 && rows.length === 0 && <Button onClick={() => downloadFailed(problems)}>{downloadText(FAILED_FILE)}</Button>}
        <Button disabled={question.isPreviewing} onClick={onBack}>
          {ANOTHER_FILE}
        </Button>
        <Button variant="main" disabled={rows.length === 0} isLoading={question.isPreviewing} onClick={() => void ask()}>
          {rows.length === 0 ? NOTHING_TO_SAVE : saveText(rows.length)}
        </Button>
      </DialogFooter>
      <RepriceDialog question={question} />
    </div>
  );
}

/** Returns the warnings that the user should read before the rows are saved. */
function warningsOf(rows: readonly ChangedRow[]): { title: string; text: string }[] {
  const [free, otherwise, lowLimits] = [linesWithoutPrice(rows), linesSoldOtherwise(rows), linesWithLowLimit(rows)];
  const isSoldOtherwise = otherwise.byWeight.length + otherwise.fixed.length > 0;
  return [
    free.length > 0 && { title: FREE_TITLE, text: freeText(free) },
    isSoldOtherwise && { title: SOLD_OTHERWISE_TITLE, text: soldOtherwiseText(otherwise) },
    lowLimits.length > 0 && { title: LIMITS_BELOW_TITLE, text: limitsBelowText(lowLimits) },
  ].filter((warning) => warning !== false);
}
