// A running import continues when the user closes its dialog or changes the tab, so its state is kept outside of React.
import { download } from '../../../client/api/download.ts';
import { NetworkError, sentenceOf } from '../../../client/api/fetch.ts';
import { whileUnsaved } from '../../../client/navigation/ask-before-unload.ts';
import { createKeyedStore } from '../../../client/storage/keyed-store.ts';
import { ERROR } from '../../../client/texts.ts';
import { toast } from '../../../client/toasts/toast.ts';
import type { Saved } from '../../../client/api/use-calls.ts';
import { asProblem, FAILED_FILE, type Problem } from '../../../shared/csv/problems.ts';
import { FOUR_MEGABYTES, MAX_USERS, type createUsers } from '../contract.ts';
import { failedCustomersCsv, type PlannedCustomer } from '../csv.ts';
import { createdText, failedFileText, NO_ADDRESS, NOT_CREATED } from '../texts.ts';

export type AddedRow = Extract<PlannedCustomer, { kind: 'add' }>;

export interface CustomerImport {
  readonly isEnded: boolean;
  readonly isInvited: boolean;
  /** The number of customers to create. `done` is the number of those already processed. */
  readonly total: number;
  readonly done: number;
  readonly created: number;
  /** The number of created customers to whom the server mails an invitation now. */
  readonly invited: number;
  /** The rows that were not sent to the server: existing customers, and rows without an e-mail address (spec §5). */
  readonly dropped: readonly Problem[];
  /** The rows that could not be read or created. */
  readonly failed: readonly Problem[];
}

export interface ImportOrder {
  rows: readonly AddedRow[];
  /** The invalid rows of the file. They count as failed. */
  problems: readonly Problem[];
  dropped: readonly Problem[];
  isInvited: boolean;
  /** Called once before the first request. */
  begin: () => Promise<void>;
  /** Sends one request. Until the server has responded, a retry of the same rows uses the same idempotency key (contract §2). */
  send: (rows: readonly AddedRow[]) => Promise<Saved<typeof createUsers>>;
  refresh: () => void;
}

const imports = createKeyedStore<'customers', CustomerImport>();

/** Returns the running or finished import until the user dismisses it, otherwise null. */
export const useCustomerImport = (): CustomerImport | null => imports.use('customers');
export const dismissImport = (): void => imports.set('customers', null);

export const downloadFailed = (failed: readonly Problem[]): void => download(FAILED_FILE, failedCustomersCsv(failed));

/**
 * Creates customers in as few calls as the server allows. This function never throws: rows that the server refuses are added to the failed
 * rows (spec §8). Does nothing while another import runs, for example after a second press of the button.
 */
export async function importCustomers({ rows, problems, dropped, isInvited, begin, send, refresh }: ImportOrder): Promise<void> {
  if (imports.get('customers')?.isEnded === false) return;
  const failed: Problem[] = [...problems];
  const counts = { done: 0, created: 0, invited: 0 };
  const show = (isEnded: boolean): void =>
    imports.set('customers', { isEnded, isInvited, total: rows.length, ...counts, dropped, failed: [...failed] });
  show(false);
  await whileUnsaved(async () => {
    await begin();
    for (const batch of batchesOf(rows)) {
      const { refused, invited } = await sendBatch(batch, send);
      failed.push(...refused);
      counts.done += batch.length;
      counts.created += batch.length - refused.length;
      counts.invited += isInvited ? invited : 0;
      show(false);
    }
  });
  failed.sort((a, b) => a.line - b.line);
  show(true);
  showResultToast(counts.created, rows.length + problems.length, { dropped, failed });
  refresh();
}

/** All toasts of an import have this action key, so that a later toast replaces an earlier error toast of the import. */
const IMPORT = 'import customers';

async function sendBatch(batch: readonly AddedRow[], send: ImportOrder['send']): Promise<{ refused: Problem[]; invited: number }> {
  let saved = await send(batch);
  // When the response was lost, the request is retried. The same idempotency key prevents creating the customers twice.
  if (!saved.ok && saved.error instanceof NetworkError) saved = await send(batch);
  if (saved.ok) {
    const results = saved.reply;
    const refused = batch.flatMap((row, index) => (results[index]?.success ? [] : [asProblem(row, results[index]?.error ?? NOT_CREATED)]));
    // A created customer whose result has an error got no invitation, and the error says why.
    const invited = batch.filter(({ user }, index) => user.email !== '' && results[index]?.success && !results[index]?.error);
    return { refused, invited: invited.length };
  }
  const { error } = saved;
  toast({ title: ERROR, description: error.message, variant: 'destructive', actionKey: IMPORT });
  return { refused: batch.map((row) => asProblem(row, sentenceOf(error))), invited: 0 };
}

export const leftOut = ({ dropped, failed }: Pick<CustomerImport, 'dropped' | 'failed'>): Problem[] =>
  [...dropped, ...failed].toSorted((a, b) => a.line - b.line);

export const withoutEmail = (dropped: readonly Problem[]): number => dropped.filter(({ reasons }) => reasons.includes(NO_ADDRESS)).length;

function showResultToast(created: number, sent: number, ended: Pick<CustomerImport, 'dropped' | 'failed'>): void {
  const rows = leftOut(ended);
  // If all rows that were left out are existing customers, no file of failed rows is offered.
  const hasFile = ended.failed.length > 0 || withoutEmail(ended.dropped) > 0;
  const rest = hasFile ? failedFileText(rows.length, FAILED_FILE) : undefined;
  // If rows have failed, the error toast of the failed request must stay visible. A toast with the action key IMPORT would replace it.
  const actionKey = ended.failed.length === 0 ? IMPORT : undefined;
  toast({ description: rest, ...createdText('customer', { created, sent }), actionKey });
  if (hasFile) downloadFailed(rows);
}

const BODY_OVERHEAD = FOUR_MEGABYTES - 100_000;

/** Splits the rows into requests that stay within the limits of rows and bytes for one call (contract §2, §3). */
export function batchesOf(rows: readonly AddedRow[]): AddedRow[][] {
  const encoder = new TextEncoder();
  const batches: AddedRow[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = encoder.encode(JSON.stringify(row.user)).length + 1;
    const last = batches.at(-1);
    if (last && last.length < MAX_USERS && bytes + size <= BODY_OVERHEAD) {
      last.push(row);
      bytes += size;
    } else {
      batches.push([row]);
      bytes = size;
    }
  }
  return batches;
}
