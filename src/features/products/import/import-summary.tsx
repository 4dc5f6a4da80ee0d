// The parts of an import's preview.
import type { ReactNode } from 'react';
import { columnNotes, OutcomeCounts, FileNotes, type RowOutcome, type PreviewedRow } from '../../../client/ui/feedback/file-preview.tsx';
import { dollars, type Cents } from '../../../domain/money.ts';
import type { Product, ProductFields } from '../contract.ts';
import type { PlannedRow, ProductsPlan } from '../csv.ts';
import { briefText } from '../../../client/texts.ts';
import { NONE, termsText } from '../texts.ts';
import { ROW_OUTCOMES, foundByText, matchedText, NO_NAME } from './texts.ts';

const KINDS: Record<PlannedRow['kind'], RowOutcome> = {
  add: { tone: 'good', word: ROW_OUTCOMES.add },
  update: { tone: 'wait', word: ROW_OUTCOMES.update },
  unchanged: { tone: 'none', word: ROW_OUTCOMES.unchanged },
  problem: { tone: 'bad', word: ROW_OUTCOMES.problem },
};

export const ImportCounts = ({ counts }: { counts: ProductsPlan['counts'] }): ReactNode => (
  <OutcomeCounts counts={(['add', 'update', 'unchanged', 'problem'] as const).map((kind) => ({ ...KINDS[kind], count: counts[kind] }))} />
);

/** Tells how existing products were identified, and which columns of the file are not read. */
export function ImportNotes({ plan }: { plan: ProductsPlan }): ReactNode {
  const found = plan.rows.flatMap((row) => ('matchedBy' in row ? [row.matchedBy] : []));
  const keys = (['id', 'product_code', 'content'] as const)
    .map((key) => ({ key, rows: found.filter((by) => by === key).length }))
    .filter(({ rows }) => rows > 0);
  return <FileNotes notes={[keys.length > 0 && matchedText(keys), ...columnNotes(plan)]} />;
}

export const previewOf = (row: PlannedRow): PreviewedRow => ({
  line: row.line,
  fate: KINDS[row.kind],
  title: nameOf(row),
  text: becomes(row),
});

const nameOf = (row: PlannedRow): string =>
  ('fields' in row ? row.fields.name : 'product' in row ? row.product.name : row.cells['name']?.trim()) || NO_NAME;

function becomes(row: PlannedRow): string {
  if (row.kind === 'problem') return row.reasons.join('; ');
  if (row.kind === 'add') return [row.fields.product_group, termsText(row.fields)].filter((text) => text !== null).join(' · ');
  if (row.kind === 'unchanged') return foundByText(row.matchedBy);
  return [termsText(row.fields), foundByText(row.matchedBy), changesOf(row.product, row.fields).join(', ')].join('; ');
}

const changesOf = (before: Product, after: ProductFields): string[] =>
  (Object.keys(after) as (keyof ProductFields)[])
    .filter((field) => (before[field] ?? null) !== after[field])
    .map((field) => `${field} ${valueText(field, before[field])} → ${valueText(field, after[field])}`);

const valueText = (field: keyof ProductFields, value: string | number | boolean | null): string =>
  value === null ? NONE : field === 'unit_price' ? dollars(value as Cents) : briefText(String(value));
