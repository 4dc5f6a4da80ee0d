// Runs product imports. An import continues when its dialog is closed or another tab is shown, so its state is kept outside of React.
import { download } from '../../../client/api/download.ts';
import { whileUnsaved } from '../../../client/navigation/ask-before-unload.ts';
import { createKeyedStore } from '../../../client/storage/keyed-store.ts';
import { toast } from '../../../client/toasts/toast.ts';
import type { Saved } from '../../../client/api/use-calls.ts';
import { sentenceOf } from '../../../client/api/fetch.ts';
import { asProblem, FAILED_FILE, type Problem } from '../../../shared/csv/problems.ts';
import type { addProduct } from '../contract.ts';
import { failedProductsCsv, type PlannedRow } from '../csv.ts';
import { failedText, savingText, UPLOAD_CANCELLED, UPLOAD_COMPLETED } from '../texts.ts';
import { CANCELLED_BEFORE, failedInText, savedOfText } from './texts.ts';

export type ChangedRow = Extract<PlannedRow, { kind: 'add' | 'update' }>;

export interface ProductImport {
  readonly state: 'saving' | 'cancelling' | 'cancelled' | 'completed';
  /** The number of rows to save. `done` counts the rows that were saved or refused. */
  readonly total: number;
  readonly done: number;
  readonly saved: number;
  /** The rows that could not be read or saved. After a cancellation, these include the rows that were not sent. */
  readonly failed: readonly Problem[];
}

interface ImportOrder {
  distributionId: number;
  rows: readonly ChangedRow[];
  /** The rows of the file that cannot be read. The import adds them to the failed rows. */
  problems: readonly Problem[];
  /** Called once before the first row is saved. */
  begin: () => Promise<void>;
  save: (row: ChangedRow) => Promise<Saved<typeof addProduct>>;
  /** Called once after the last row was saved or refused. */
  finish: () => Promise<void>;
}

// How many rows are sent concurrently. The server saves the rows of one distribution one after the other, so more concurrent requests would
// not be faster.
const AT_ONCE = 4;
const BETWEEN_DRAWINGS_MS = 100;

const imports = createKeyedStore<number, ProductImport>();
const show = imports.set;

/** Returns the running or finished import of this distribution; null if there is none, or after the user dismissed it. */
export const useProductImport = (distributionId: number): ProductImport | null => imports.use(distributionId);

export const isEnded = ({ state }: ProductImport): boolean => state === 'cancelled' || state === 'completed';

/** Stops the import before the next row. Rows that were already sent are still saved. */
export function cancelImport(distributionId: number): void {
  const running = imports.get(distributionId);
  if (running?.state === 'saving') show(distributionId, { ...running, state: 'cancelling' });
}

export const dismissImport = (distributionId: number): void => show(distributionId, null);

export const downloadFailed = (failed: readonly Problem[]): void => download(FAILED_FILE, failedProductsCsv(failed));

/**
 * Saves the rows of an import. Never throws: a refused row is added to the failed rows (spec §8). Does nothing while another import of the
 * distribution runs, for example after a second press of the save button.
 */
export async function importProducts({ distributionId, rows, problems, begin, save, finish }: ImportOrder): Promise<void> {
  const running = imports.get(distributionId);
  if (running && !isEnded(running)) return;
  const total = rows.length;
  const progress = toast({ title: savingText(0, total, ''), duration: Infinity });
  const failed: Problem[] = [...problems];
  const counts = { begun: 0, done: 0, saved: 0 };
  const isCancelled = (): boolean => imports.get(distributionId)?.state === 'cancelling';
  const draw = (): void => {
    const name = rows[counts.begun - 1]?.fields.name ?? '';
    progress.update({ title: savingText(counts.begun, total, name) });
    show(distributionId, { state: isCancelled() ? 'cancelling' : 'saving', total, done: counts.done, saved: counts.saved, failed });
  };
  let drawn = -Infinity;
  const sequential = rows.values();
  const saveSequentially = async (): Promise<void> => {
    for (const row of sequential) {
      counts.begun += 1;
      if (performance.now() - drawn > BETWEEN_DRAWINGS_MS) {
        drawn = performance.now();
        draw();
      }
      const answer = await save(row);
      counts.done += 1;
      if (answer.ok) counts.saved += 1;
      else failed.push(asProblem(row, sentenceOf(answer.error)));
      if (isCancelled()) return;
    }
  };
  draw();
  await whileUnsaved(async () => {
    await begin();
    await Promise.all(Array.from({ length: AT_ONCE }, saveSequentially));
    await finish();
  });
  progress.dismiss();
  const left = [...sequential].map((row) => asProblem(row, CANCELLED_BEFORE));
  const notSaved = [...failed, ...left].toSorted((a, b) => a.line - b.line);
  const state = left.length > 0 ? 'cancelled' : 'completed';
  show(distributionId, { state, total, done: counts.done, saved: counts.saved, failed: notSaved });
  showResultToast(state, notSaved, counts.saved);
}

/** The key that the toasts of an import share. A later toast with this key removes the error toast of an earlier import. */
const IMPORT = 'import products';

function showResultToast(state: 'cancelled' | 'completed', failed: readonly Problem[], saved: number): void {
  const total = saved + failed.length;
  if (state === 'cancelled') toast({ title: UPLOAD_CANCELLED, description: savedOfText(saved, total) });
  else if (failed.length === 0) toast({ title: UPLOAD_COMPLETED, actionKey: IMPORT });
  else {
    toast({ title: failedText(failed.length, total), description: failedInText(FAILED_FILE), variant: 'destructive', actionKey: IMPORT });
    downloadFailed(failed);
  }
}
