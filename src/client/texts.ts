// The UI strings of the shared components: page frame, dialogs, tables, fields, toasts (spec §2, §8).
import { counted } from '../shared/counted.ts';

// index.html repeats this sentence word for word, because the browser shows it before any script runs.
export const DESCRIPTION = 'A platform to place your holiday orders.';
export const NEEDS_JAVASCRIPT = 'Feastday needs JavaScript to take your order.';
export const TAKES_LONG = 'This takes longer than usual. Please load the page again.';

export const CANCEL = 'Cancel';
export const SAVE = 'Save';
export const CLOSE = 'Close';
export const LOADING = 'Loading';
export const TRY_AGAIN = 'Try again';
/** The link in the error toast of a save that failed because the session had ended. */
export const SIGN_IN_BESIDE = 'Sign in in a new tab';
export const SUCCESS = 'Success';
export const ERROR = 'Error';

export const NOT_LOADED = 'This could not be loaded';
export const PAGE_STOPPED = 'This page stopped working';
export const NOTHING_LOST = 'Nothing that you saved is lost. Load the page again to go on.';
export const NOT_REACHED = 'Feastday could not be reached. Check your connection and try again.';
export const OFFLINE = 'You are offline. What you type stays here; save when the connection is back.';
export const pageTitle = (title: string): string => `${title} · Feastday`;
export const SKIP_TO_CONTENT = 'Skip to content';
export const THEME_LABELS = { system: 'Colors: as the system', light: 'Colors: light', dark: 'Colors: dark' };

export const NOTIFICATION = 'Notification';
export const notificationsOf = (hotkey: string): string => `Notifications (${hotkey})`;
export const nextNotice = (said: string, later: number): string => (later === 0 ? `Next: ${said}` : `Next: ${said}, and ${later} more`);

export const DISCARD_QUESTION = 'Discard what you typed?';
export const NOT_SAVED_YET = 'It has not been saved yet.';
export const DISCARD = 'Discard';
export const KEEP_EDITING = 'Keep editing';
export const LEAVE_QUESTION = 'Leave without saving?';
export const LEAVE_LOSES = 'Your changes on this page have not been saved.';
export const LEAVE = 'Leave';
export const STAY = 'Stay on this page';

export const SHOW_PASSWORD = 'Show password';
export const HIDE_PASSWORD = 'Hide password';
export const CLEAR_SEARCH = 'Clear search';
export const NAME_OR_EMAIL = 'Name or e-mail';
/** The text that screen readers announce for a number field without a number. */
export const EMPTY = 'empty';
export const quantityOf = (product: string): string => `Quantity of ${product}`;
export const lessOf = (product: string): string => `Less ${product}`;
export const moreOf = (product: string): string => `More ${product}`;
export const maxText = (max: number): string => `max: ${max}`;
export const atMost = (max: number): string => `At most ${max}`;
export const IS_MAXIMUM = 'That is the maximum';

export const STEPS = 'Steps';
export const DONE = 'Done';
export const ACTIONS = 'Actions';

export const FILTER = 'Filter';
export const CLEAR_FILTER = 'Clear filter';
export const EXPAND = 'Expand';
export const COLLAPSE = 'Collapse';
export const expandText = (table: string): string => `${EXPAND} ${table}`;
export const collapseText = (table: string): string => `${COLLAPSE} ${table}`;
export const SORT = 'Sort';
export const SORT_AND_FILTER = 'Sort and filter';
export const SORT_BY = 'Sort by';
export const AS_GIVEN = 'As given';
export const descendingText = (header: string): string => `${header}, descending`;
export const filterBy = (header: string): string => `Filter by ${header}`;
export const clearFilterOf = (header: string): string => `Clear filter of ${header}`;
export const shownText = (shown: number, total: number, noun: string): string => `${shown} of ${total} ${noun} shown`;
export const noMatchText = (noun: string, wanted: readonly string[]): string =>
  `No ${noun} match ${wanted.map((text) => `"${text}"`).join(' and ')}.`;

export const DOWNLOAD_REPORT = 'Download Report';
export const DOWNLOAD_FILTERED = 'Download filtered';

export const CHOOSE_CSV = 'Choose a CSV file';
export const DOWNLOAD_TEMPLATE = 'Download template';
export const ANOTHER_FILE = 'Choose another file';
export const IN_BACKGROUND = 'Continue in the background';
export const OR_DROP_CSV = 'or drop it here, up to 5 MB and 20,000 rows';
export const READING_FILE = 'Reading the file';
export const ignoredColumns = (names: readonly string[]): string =>
  names.length === 1 ? `Ignored column: ${names.join(', ')}.` : `Ignored columns: ${names.join(', ')}.`;
export const repeatedColumns = (names: readonly string[]): string =>
  `Of ${names.join(', ')}, which come more than once, the first column is read.`;
const LINES_NAMED = 5;
/** Returns, for example, '12 rows: Quantity must be at least 1 (lines 4, 9, 12, 15, 21, …)'. */
export function causeText(reason: string, lines: readonly number[]): string {
  const named = lines.slice(0, LINES_NAMED).join(', ') + (lines.length > LINES_NAMED ? ', …' : '');
  return lines.length === 1 ? `1 row: ${reason} (line ${named})` : `${lines.length} rows: ${reason} (lines ${named})`;
}
export const showMoreCauses = (count: number): string => `Show ${counted(count, 'more cause')}`;
export const cellsText = (cells: Readonly<Record<string, string>>): string => {
  const filled = Object.entries(cells).filter(([, cell]) => cell.trim() !== '');
  return filled.length === 0 ? UNREADABLE_CELLS : filled.map(([column, cell]) => `${column} ${cell.trim()}`).join(', ');
};
const UNREADABLE_CELLS = 'its cells cannot be read';
export const ROWS = 'The rows';
export const firstRows = (count: number): string => `The first ${count} rows`;
export const briefText = (text: string): string => text.replace(/^(.{150}).+$/su, '$1 …');
export const lineText = (line: number, text: string): string => `Line ${line}: ${text}`;
export const showMoreRows = (count: number): string => `Show ${counted(count, 'more row')}`;
export const doneText = (done: number, total: number): string => `${done} of ${total}`;
export const downloadText = (file: string): string => `Download ${file}`;

export const SOURCE_CODE = 'Source code';
export const versionText = (version: string): string => `Feastday ${version}`;
