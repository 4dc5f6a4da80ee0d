// Writes and reads the file of customers (spec §5, §9). When customers.csv is imported unchanged, every row is dropped as an existing
// customer.
import { runStepsInSlices, csvReadSteps, type CsvRow, type ProgressSteps } from '../../shared/csv/read-csv.ts';
import { failedRowsCsv, REASON, type Problem } from '../../shared/csv/problems.ts';
import { writeCsv, type CsvColumn } from '../../shared/csv/write-csv.ts';
import { identityInList, identityOf } from '../../domain/accounts/customer-identity.ts';
import { isBlankText } from '../../domain/blank.ts';
import { NewUser, NewUserWithoutEmail, type UserItem } from './contract.ts';
import { CUSTOMER_ALREADY, CUSTOMER_LISTED_TWICE, LISTED_TWICE, NO_ADDRESS, noEmailColumnText } from './texts.ts';

type Field = keyof NewUser;
type Cells = CsvRow['cells'];
type SentCustomer = Record<Field, string>;

/**
 * Says what an import does with a row of the file. Rows of the kinds 'known' and 'blank' are dropped (spec §5). A 'blank' row that has a
 * name can be imported without an e-mail address.
 */
export type PlannedCustomer = { line: number; cells: Cells } & (
  | { kind: 'add'; user: SentCustomer }
  | { kind: 'known' }
  | { kind: 'blank'; user: SentCustomer | null }
  | { kind: 'problem'; reasons: string[] }
);
export interface CustomersPlan {
  /** A message that says why the file cannot be used, or null. */
  refused: string | null;
  rows: PlannedCustomer[];
  counts: Record<PlannedCustomer['kind'], number>;
  /** The columns of the file whose meaning was guessed from their names. */
  guessed: { column: string; field: Field }[];
  /** The columns of the file that are unknown and therefore not read. */
  ignored: string[];
  /** The columns that occur more than once in the file. Only the first of them is read. */
  repeated: string[];
}

export const CUSTOMERS_CSV: readonly CsvColumn<UserItem>[] = [
  { header: 'ID', value: (user) => user.userId },
  { header: 'Email', value: (user) => user.email },
  { header: 'First name', value: (user) => user.firstName },
  { header: 'Last name', value: (user) => user.lastName },
  { header: 'Phone', value: (user) => user.phone },
];

// The accepted column names of each field, the best name first. Only their letters are compared. The column 'ID' occurs in this
// application's own export and is not read.
const NAMES: Readonly<Record<Field, readonly string[]>> = {
  email: ['email', 'emailaddress', 'mail', 'mailaddress', 'emailaddr', 'emails', 'customeremail', 'contactemail'],
  firstName: ['firstname', 'first', 'givenname', 'forename'],
  lastName: ['lastname', 'last', 'surname', 'familyname'],
  address: ['address', 'streetaddress', 'street', 'address1', 'addressline1', 'postaladdress'],
  city: ['city', 'town'],
  state: ['state', 'province'],
  zip: ['zip', 'zipcode', 'postalcode', 'postcode'],
  phone: ['phone', 'phonenumber', 'telephone', 'mobile', 'mobilephone', 'cell', 'cellphone', 'tel'],
};
export const CUSTOMER_FIELDS = Object.keys(NAMES) as Field[];

export const templateCsv = (): string =>
  writeCsv<never>(
    CUSTOMER_FIELDS.map((header) => ({ header, value: () => null })),
    [],
  );

/** Returns a CSV file with the rows that were not created, each with the reason (spec §8). */
export const failedCustomersCsv = (problems: readonly Problem[]): string => failedRowsCsv(CUSTOMER_FIELDS, problems);

/**
 * Computes what an import would do, without writing data or blocking the page. `onProgress` is called with the completed fraction (0 to 1).
 */
export const readCustomersInSlices = (
  file: Uint8Array | string,
  existing: readonly UserItem[],
  onProgress?: (part: number) => void,
): Promise<CustomersPlan> => runStepsInSlices(planning(file, existing), onProgress);

function* planning(file: Uint8Array | string, existing: readonly UserItem[]): ProgressSteps<CustomersPlan> {
  const { header, repeated, rows, problems, refused } = yield* csvReadSteps(file);
  const columns = columnsIn(header);
  const noEmail = columns.email === undefined ? noEmailColumnText(header) : null;
  const read = new Set(Object.values(columns));
  const plan: CustomersPlan = {
    refused: refused ?? noEmail,
    rows: [],
    counts: { add: 0, known: 0, blank: 0, problem: 0 },
    guessed: CUSTOMER_FIELDS.flatMap((field) => {
      const column = columns[field];
      return column === undefined || column === field.toLowerCase() ? [] : [{ column, field }];
    }),
    ignored: header.filter((column) => !read.has(column) && column !== REASON),
    repeated,
  };
  if (plan.refused !== null) return plan;
  const seen = { known: new Set(existing.map(identityOf)), listed: new Set<string>() };
  for (const row of rows) {
    yield 1;
    plan.rows.push(plannedRow(row, columns, seen));
  }
  for (const { line, reason, cells } of problems)
    plan.rows.push({ kind: 'problem', line, reasons: [reason], cells: typedIn(cells, columns) });
  plan.rows.sort((a, b) => a.line - b.line);
  for (const row of plan.rows) plan.counts[row.kind] += 1;
  return plan;
}

type Columns = { [field in Field]?: string };

function columnsIn(header: readonly string[]): Columns {
  const letters = new Map(header.toReversed().map((column) => [column.replace(/[^\p{L}\d]/gu, ''), column]));
  return Object.fromEntries(
    CUSTOMER_FIELDS.flatMap((field) => {
      const name = NAMES[field].find((known) => letters.has(known));
      return name === undefined ? [] : [[field, letters.get(name)]];
    }),
  ) as Columns;
}

const typedIn = (cells: CsvRow['cells'], columns: Columns): SentCustomer =>
  Object.fromEntries(CUSTOMER_FIELDS.map((field) => [field, cells[columns[field] ?? '']?.trim() ?? ''])) as SentCustomer;

function plannedRow(row: CsvRow, columns: Columns, seen: { known: Set<string>; listed: Set<string> }): PlannedCustomer {
  const user = typedIn(row.cells, columns);
  const planned = { line: row.line, cells: user };
  const isBlank = user.email === '';
  if (isBlank && isBlankText(user.firstName + user.lastName)) return { kind: 'blank', ...planned, user: null };
  const { data, error } = isBlank ? NewUserWithoutEmail.safeParse(user) : NewUser.safeParse(user);
  if (error) return { kind: 'problem', ...planned, reasons: [...new Set(error.issues.map(({ message }) => message))] };
  const identity = identityOf({ ...user, email: data.email });
  if (seen.known.has(identity)) return { kind: 'known', ...planned };
  const listed = identityInList({ ...user, email: data.email });
  if (seen.listed.has(listed)) return { kind: 'problem', ...planned, reasons: [isBlank ? CUSTOMER_LISTED_TWICE : LISTED_TWICE] };
  seen.listed.add(listed);
  return isBlank ? { kind: 'blank', ...planned, user } : { kind: 'add', ...planned, user: { ...user, email: data.email ?? '' } };
}

export function whyDropped(row: PlannedCustomer): string | null {
  if (row.kind === 'known') return CUSTOMER_ALREADY;
  return row.kind === 'blank' ? NO_ADDRESS : null;
}
