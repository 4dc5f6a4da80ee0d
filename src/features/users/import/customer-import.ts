// A running import continues when its dialog is closed or the tab is changed, so its state is outside of React.
import { download } from '../../../client/api/download.ts';
import { CallError, NetworkError } from '../../../client/api/fetch.ts';
import { createKeyedStore } from '../../../client/storage/keyed-store.ts';
import { ERROR } from '../../../client/texts.ts';
import { toast } from '../../../client/toasts/toast.ts';
import type { Saved } from '../../../client/api/use-calls.ts';
import { FAILED_FILE, type Problem } from '../../../shared/csv/problems.ts';
import { FOUR_MEGABYTES, MOST_USERS, type createUsers } from '../contract.ts';
import { failedCustomersCsv, type PlannedCustomer } from '../csv.ts';
import { createdText, failedFileText, NO_ADDRESS, NOT_CREATED } from '../texts.ts';

export type AddedRow = Extract<PlannedCustomer, { kind: 'add' }>;

/** An existing customer, or a row without an e-mail address (spec §5). */
export type DroppedRow = Problem;

export interface CustomerImport {
  readonly isEnded: boolean;
  readonly isInvited: boolean;
  /** The number of customers to create, and of finished ones. */
  readonly total: number;
  readonly done: number;
  readonly created: number;
  /** The number of created customers to whom an invitation is mailed now. */
  readonly invited: number;
  /** Rows that were not sent. */
  readonly dropped: readonly DroppedRow[];
  /** Rows that could not be read or created. */
  readonly failed: readonly Problem[];
}

export interface ImportOrder {
  rows: readonly AddedRow[];
  /** Invalid rows of the file, which count as failed. */
  problems: readonly Problem[];
  dropped: readonly DroppedRow[];
  isInvited: boolean;
  /** One request; the same rows use the same key until the server has responded (contract §2). */
  send: (rows: readonly AddedRow[]) => Promise<Saved<typeof createUsers>>;
  /** Called once, at the end. */
  refresh: () => void;
}

const imports = createKeyedStore<'customers', CustomerImport>();

/** The running or finished import, until it is dismissed; otherwise null. */
export const useCustomerImport = (): CustomerImport | null => imports.use('customers');
export const dismissImport = (): void => imports.set('customers', null);

export const downloadFailed = (failed: readonly Problem[]): void => download(FAILED_FILE, failedCustomersCsv(failed));

/** Creates customers in as few calls as the server allows and never throws; refused rows are added to the failed ones (spec §8). */
export async function importCustomers({ rows, problems, dropped, isInvited, send, refresh }: ImportOrder): Promise<void> {
  const failed: Problem[] = [...problems];
  const counts = { done: 0, created: 0, invited: 0 };
  const show = (isEnded: boolean): void =>
    imports.set('customers', { isEnded, isInvited, total: rows.length, ...counts, dropped, failed: [...failed] });
  const stopClosing = (event: BeforeUnloadEvent): void => event.preventDefault();
  addEventListener('beforeunload', stopClosing);
  show(false);
  for (const batch of batchesOf(rows)) {
    const { refused, invited } = await sendBatch(batch, send);
    failed.push(...refused);
    counts.done += batch.length;
    counts.created += batch.length - refused.length;
    counts.invited += isInvited ? invited : 0;
    show(false);
  }
  removeEventListener('beforeunload', stopClosing);
  failed.sort((a, b) => a.line - b.line);
  show(true);
  showResultToast(counts.created, rows.length + problems.length, { dropped, failed });
  refresh();
}

/** The action key of the toasts. */
const IMPORT = 'import customers';

async function sendBatch(batch: readonly AddedRow[], send: ImportOrder['send']): Promise<{ refused: Problem[]; invited: number }> {
  let answer = await send(batch);
  // The response was lost; the same key makes a retry safe.
  if (!answer.ok && answer.error instanceof NetworkError) answer = await send(batch);
  if (answer.ok) {
    const results = answer.reply;
    const refused = batch.flatMap((row, place) => (results[place]?.success ? [] : [asProblem(row, results[place]?.error ?? NOT_CREATED)]));
    // The error of a created customer explains why there is no invitation.
    const invited = batch.filter(({ user }, place) => user.email !== '' && results[place]?.success && !results[place]?.error);
    return { refused, invited: invited.length };
  }
  const { error } = answer;
  toast({ title: ERROR, description: error.message, variant: 'destructive', actionKey: IMPORT });
  return { refused: batch.map((row) => asProblem(row, error instanceof CallError ? error.text : error.message)), invited: 0 };
}

const asProblem = ({ line, cells }: AddedRow, reason: string): Problem => ({ line, cells, reasons: [reason] });

/** All rows that were not created, in file order. */
export const leftOut = ({ dropped, failed }: Pick<CustomerImport, 'dropped' | 'failed'>): Problem[] =>
  [...dropped, ...failed].toSorted((a, b) => a.line - b.line);

export const withoutEmail = (dropped: readonly DroppedRow[]): number =>
  dropped.filter(({ reasons }) => reasons.includes(NO_ADDRESS)).length;

function showResultToast(created: number, sent: number, ended: Pick<CustomerImport, 'dropped' | 'failed'>): void {
  const rows = leftOut(ended);
  // When all customers of a file exist already, there is no file of failed rows.
  const hasFile = ended.failed.length > 0 || withoutEmail(ended.dropped) > 0;
  const rest = hasFile ? failedFileText(rows.length, FAILED_FILE) : undefined;
  // Failed rows keep the error toast of their request.
  const actionKey = ended.failed.length === 0 ? IMPORT : undefined;
  toast({ description: rest, ...createdText('customer', { created, sent }), actionKey });
  if (hasFile) downloadFailed(rows);
}

const BODY_OVERHEAD = FOUR_MEGABYTES - 100_000;

/** Splits the rows into requests within the contract's limits of rows and bytes. */
export function batchesOf(rows: readonly AddedRow[]): AddedRow[][] {
  const encoder = new TextEncoder();
  const batches: AddedRow[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = encoder.encode(JSON.stringify(row.user)).length + 1;
    const last = batches.at(-1);
    if (last && last.length < MOST_USERS && bytes + size <= BODY_OVERHEAD) {
      last.push(row);
      bytes += size;
    } else {
      batches.push([row]);
      bytes = size;
    }
  }
  return batches;
}
